; Definitions. Where two patterns name the same token, the earlier pattern wins.
(class_declaration name: (identifier) @name) @definition.class
(record_declaration name: (identifier) @name) @definition.class
(interface_declaration name: (identifier) @name) @definition.interface
(annotation_type_declaration name: (identifier) @name) @definition.interface
(enum_declaration name: (identifier) @name) @definition.enum
(enum_constant name: (identifier) @name) @definition.constant
(method_declaration name: (identifier) @name) @definition.method
(constructor_declaration name: (identifier) @name) @definition.method
(compact_constructor_declaration name: (identifier) @name) @definition.method
(annotation_type_element_declaration name: (identifier) @name) @definition.method
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.variable
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.constant

; Calls; an annotation is applied, not called.
(method_invocation !object name: (identifier) @call.name)
(method_invocation object: (_) @call.receiver name: (identifier) @call.name)
(object_creation_expression type: [
  (type_identifier) @call.name
  (generic_type (type_identifier) @call.name)
  (scoped_type_identifier (_) @call.receiver (type_identifier) @call.name)
])
(explicit_constructor_invocation constructor: (_) @call.name)
(method_reference . (_) @call.receiver (identifier) @call.name .)

; Imports.
(import_declaration) @import.tree

; Inheritance.
(superclass (_) @inherit.base)
(super_interfaces (type_list (_) @inherit.base))
(extends_interfaces (type_list (_) @inherit.base))

; Words around the code.
(line_comment) @comment
(block_comment) @comment
(modifiers [(annotation) (marker_annotation)] @attribute)
(block) @block
(class_body) @block
(interface_body) @block
(enum_body) @block
(enum_body_declarations) @block
(constructor_body) @block
(switch_block) @block
(program) @block

; What a class shows.
(modifiers "public" @exported)
(modifiers "private" @private)

; Tests.
(modifiers [(annotation name: (identifier) @test) (marker_annotation name: (identifier) @test)]
  (#any-of? @test "Test" "ParameterizedTest" "RepeatedTest" "TestFactory" "Theory"
    "BeforeEach" "AfterEach" "BeforeAll" "AfterAll" "Before" "After" "BeforeClass" "AfterClass"))
