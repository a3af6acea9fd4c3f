; Definitions. Where two patterns name the same token, the earlier pattern wins.
(class_declaration name: (_) @name) @definition.class
(record_declaration name: (_) @name) @definition.class
(interface_declaration name: (_) @name) @definition.interface
(struct_declaration name: (_) @name) @definition.struct
(enum_declaration name: (_) @name) @definition.enum
(enum_member_declaration name: (_) @name) @definition.constant
(delegate_declaration name: (_) @name) @definition.type
(namespace_declaration name: (_) @name) @definition.module
(method_declaration name: (_) @name) @definition.method
(constructor_declaration name: (_) @name) @definition.method
(destructor_declaration name: (_) @name (#set! prefix "~")) @definition.method
(operator_declaration operator: _ @name (#set! prefix "operator ")) @definition.method
(conversion_operator_declaration type: (_) @name (#set! prefix "operator ")) @definition.method
(indexer_declaration "this" @name) @definition.method
(local_function_statement name: (_) @name) @definition.function
(property_declaration name: (_) @name) @definition.variable
(event_declaration name: (_) @name) @definition.variable
(event_field_declaration (variable_declaration (variable_declarator name: (_) @name))) @definition.variable
(field_declaration
  (modifier) @_modifier
  (variable_declaration (variable_declarator name: (_) @name))
  (#eq? @_modifier "const")) @definition.constant
(field_declaration (variable_declaration (variable_declarator name: (_) @name))) @definition.variable

; Calls.
(invocation_expression function: [
  (identifier) @call.name
  (generic_name (identifier) @call.name)
  (member_access_expression expression: _ @call.receiver name: (identifier) @call.name)
  (member_access_expression expression: _ @call.receiver name: (generic_name (identifier) @call.name))
  (conditional_access_expression
    condition: (_) @call.receiver
    (member_binding_expression name: (identifier) @call.name))
])
(object_creation_expression type: [
  (identifier) @call.name
  (generic_name (identifier) @call.name)
  (qualified_name qualifier: (_) @call.receiver name: (identifier) @call.name)
])

; Imports.
(using_directive) @import.tree

; Inheritance.
(base_list [(identifier) (generic_name) (qualified_name)] @inherit.base)
(base_list (primary_constructor_base_type . (_) @inherit.base))

; Words around the code.
(comment) @comment
(attribute_list) @attribute
(block) @block
(declaration_list) @block
(enum_member_declaration_list) @block
(compilation_unit) @block
(switch_body) @block

; What a type shows.
((modifier) @exported (#eq? @exported "public"))

; Tests.
(attribute name: (identifier) @test
  (#any-of? @test "Test" "TestCase" "Fact" "Theory" "TestMethod" "DataTestMethod" "TestFixture" "TestClass"
    "SetUp" "TearDown" "OneTimeSetUp" "OneTimeTearDown" "TestInitialize" "TestCleanup"))
