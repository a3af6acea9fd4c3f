; Definitions. Where two patterns name the same token, the earlier pattern wins.
(function_declaration name: (identifier) @name) @definition.function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @owner
    (generic_type type: (type_identifier) @owner)
    (pointer_type (type_identifier) @owner)
    (pointer_type (generic_type type: (type_identifier) @owner))
  ]))
  name: (field_identifier) @name) @definition.method
(type_spec name: (type_identifier) @name type: (struct_type)) @definition.struct
(type_spec name: (type_identifier) @name type: (interface_type)) @definition.interface
(interface_type (method_elem name: (field_identifier) @name) @definition.method)
(type_spec name: (type_identifier) @name) @definition.type
(type_alias name: (type_identifier) @name) @definition.type
(source_file (const_declaration (const_spec (identifier) @name) @definition.constant))
(source_file (var_declaration (var_spec (identifier) @name) @definition.variable))
(source_file (var_declaration (var_spec_list (var_spec (identifier) @name) @definition.variable)))

; Calls; a composite literal constructs its type.
(call_expression function: [
  (identifier) @call.name
  (selector_expression operand: (_) @call.receiver field: (field_identifier) @call.name)
])
(call_expression function: (parenthesized_expression (identifier) @call.name))
(composite_literal type: [
  (type_identifier) @call.name
  (qualified_type package: (_) @call.receiver name: (_) @call.name)
])

; Imports.
(import_spec !name path: (_) @import.module)
(import_spec name: [(package_identifier) (blank_identifier)] @import.alias path: (_) @import.module)
(import_spec name: (dot) @import.star path: (_) @import.module)

; Embedding.
(type_spec type: (struct_type (field_declaration_list (field_declaration !name type: (_) @inherit.base))))
(type_spec type: (interface_type (type_elem . [(type_identifier) (qualified_type)] @inherit.base .)))

; Words around the code.
(comment) @comment
(block) @block
(statement_list) @block
(source_file) @block

; Tests.
(function_declaration
  name: (identifier) @test
  parameters: (parameter_list (parameter_declaration
    type: (pointer_type (qualified_type package: (package_identifier) @_package))))
  (#match? @test "^(Test|Benchmark|Fuzz)")
  (#eq? @_package "testing"))
(function_declaration name: (identifier) @test (#match? @test "^Example") parameters: (parameter_list . ")"))
