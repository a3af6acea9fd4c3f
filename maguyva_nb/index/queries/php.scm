; Definitions. Where two patterns name the same token, the earlier pattern wins.
(class_declaration name: (_) @name) @definition.class
(interface_declaration name: (_) @name) @definition.interface
(trait_declaration name: (_) @name) @definition.trait
(enum_declaration name: (_) @name) @definition.enum
(enum_case name: (_) @name) @definition.constant
(function_definition name: (_) @name) @definition.function
(method_declaration name: (_) @name) @definition.method
(const_declaration (const_element . (name) @name)) @definition.constant
(property_declaration (property_element name: (variable_name (name) @name))) @definition.variable
(program (expression_statement (assignment_expression left: (variable_name (name) @name)) @definition.variable))
(function_call_expression
  function: (name) @_define
  arguments: (arguments . (argument (string (string_content) @name)))
  (#eq? @_define "define")) @definition.constant

; Calls.
(function_call_expression function: [
  (name) @call.name
  (variable_name) @call.name
  (qualified_name prefix: (_) @call.receiver (name) @call.name)
])
(member_call_expression object: (_) @call.receiver name: (name) @call.name)
(nullsafe_member_call_expression object: (_) @call.receiver name: (name) @call.name)
(scoped_call_expression scope: (_) @call.receiver name: (name) @call.name)
(object_creation_expression [
  (name) @call.name
  (qualified_name prefix: (_) @call.receiver (name) @call.name)
])

; Imports.
(namespace_use_declaration) @import.tree
(include_expression (string) @import.module)
(include_once_expression (string) @import.module)
(require_expression (string) @import.module)
(require_once_expression (string) @import.module)
(require_expression (binary_expression right: (string) @import.module))
(require_once_expression (binary_expression right: (string) @import.module))
(include_expression (binary_expression right: (string) @import.module))
(include_once_expression (binary_expression right: (string) @import.module))

; Inheritance: classes, interfaces, and traits used.
(base_clause (_) @inherit.base)
(class_interface_clause (_) @inherit.base)
(use_declaration [(name) (qualified_name)] @inherit.base)

; Words around the code.
(comment) @comment
(attribute_list) @attribute
(compound_statement) @block
(declaration_list) @block
(program) @block

(method_declaration (visibility_modifier) @private (#eq? @private "private"))
(property_declaration (visibility_modifier) @private (#eq? @private "private"))

; Tests: PHPUnit's base class and attributes.
(class_declaration (base_clause [(name) @test (qualified_name (name) @test)]) (#match? @test "TestCase$"))
(attribute (name) @test (#any-of? @test "Test" "DataProvider" "TestWith"))
