; Definitions. Where two patterns name the same token, the earlier pattern wins.
(class_definition name: (_) @name) @definition.class
(object_definition name: (_) @name) @definition.class
(package_object name: (_) @name) @definition.class
(trait_definition name: (_) @name) @definition.trait
(enum_definition name: (_) @name) @definition.enum
(simple_enum_case name: (_) @name) @definition.constant
(full_enum_case name: (_) @name) @definition.constant
(function_definition name: (_) @name) @definition.function
(function_declaration name: (_) @name) @definition.function
(type_definition name: (_) @name) @definition.type
(given_definition name: (_) @name) @definition.constant
(template_body [
  (val_definition pattern: (identifier) @name)
  (var_definition pattern: (identifier) @name)
] @definition.variable)
(compilation_unit [
  (val_definition pattern: (identifier) @name)
  (var_definition pattern: (identifier) @name)
] @definition.variable)

; Calls.
(call_expression function: [
  (identifier) @call.name
  (field_expression value: (_) @call.receiver field: (_) @call.name)
  (generic_function function: [
    (identifier) @call.name
    (field_expression value: (_) @call.receiver field: (_) @call.name)
  ])
])
(instance_expression [
  (type_identifier) @call.name
  (generic_type type: (type_identifier) @call.name)
  (stable_type_identifier (_) @call.receiver (type_identifier) @call.name)
])

; Imports.
(import_declaration) @import.tree

; Inheritance.
(extends_clause [(type_identifier) (generic_type) (stable_type_identifier)] @inherit.base)

; Words around the code.
(comment) @comment
(block_comment) @comment
(annotation) @attribute
(block) @block
(indented_block) @block
(template_body) @block
(case_block) @block
(compilation_unit) @block

(modifiers (access_modifier "private") @private)

; Tests: the suites of ScalaTest, MUnit, specs2 and uTest.
(class_definition extend: (extends_clause (type_identifier) @test) (#match? @test "(Suite|Spec|Specification|Tests?)$"))
(object_definition extend: (extends_clause (type_identifier) @test) (#match? @test "(Suite|Spec|Specification|Tests?)$"))
