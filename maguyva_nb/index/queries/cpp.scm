; What only C++ has, beside cfamily.scm.
(class_specifier name: (template_type name: (_) @name) body: (_)) @definition.class
(struct_specifier name: (template_type name: (_) @name) body: (_)) @definition.struct
(class_specifier name: (_) @name body: (_) (#set! split "::")) @definition.class
(struct_specifier name: (qualified_identifier) @name body: (_) (#set! split "::")) @definition.struct
(namespace_definition name: (_) @name) @definition.module
(concept_definition name: (_) @name) @definition.type
(alias_declaration name: (_) @name) @definition.type
(function_definition declarator: (reference_declarator
  (function_declarator declarator: (_) @name)) (#set! split "::")) @definition.function
(function_definition declarator: (operator_cast type: (_) @name) (#set! prefix "operator ")) @definition.method
(function_definition
  declarator: (qualified_identifier scope: (_) @owner name: (operator_cast type: (_) @name))
  (#set! prefix "operator ")) @definition.method
(field_declaration declarator: (function_declarator declarator: (_) @name) default_value: (number_literal)) @definition.method
(namespace_definition body: (declaration_list (declaration declarator: (init_declarator declarator: [
  (identifier) @name
  (array_declarator declarator: (identifier) @name)
])) @definition.variable))

(call_expression function: [
  (qualified_identifier scope: (_) @call.receiver name: (identifier) @call.name)
  (qualified_identifier scope: (_) @call.receiver name: (template_function name: (_) @call.name))
  (qualified_identifier name: (qualified_identifier scope: (_) @call.receiver name: (identifier) @call.name))
  (qualified_identifier
    name: (qualified_identifier scope: (_) @call.receiver name: (template_function name: (_) @call.name)))
  (template_function name: (identifier) @call.name)
  (field_expression
    argument: (_) @call.receiver
    field: (template_method name: (field_identifier) @call.name))
])
(new_expression type: [
  (type_identifier) @call.name
  (template_type name: (_) @call.name)
  (qualified_identifier scope: (_) @call.receiver name: (type_identifier) @call.name)
])

(using_declaration "namespace" (_) @import.module)
(base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @inherit.base)

(template_parameter_list) @attribute
(translation_unit (function_definition (storage_class_specifier) @private (#eq? @private "static")))
(declaration_list) @block

; GoogleTest and Catch2 write tests as macros.
(function_definition
  declarator: (function_declarator declarator: (identifier) @test)
  (#match? @test "^(TYPED_)?TEST(_F|_P|_CASE|_SUITE)?$"))
