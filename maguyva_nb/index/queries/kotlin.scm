; Definitions. Where two patterns name the same token, the earlier pattern wins.
(class_declaration (modifiers (class_modifier "enum")) name: (_) @name (enum_class_body)? @body) @definition.enum
(class_declaration "interface" name: (_) @name (class_body)? @body) @definition.interface
(class_declaration name: (_) @name (class_body)? @body) @definition.class
(object_declaration name: (_) @name (class_body)? @body) @definition.class
(companion_object name: (_) @name (class_body)? @body) @definition.class
(enum_entry . (identifier) @name) @definition.constant
(function_declaration (user_type (identifier) @owner) "."
  name: (_) @name
  (function_body)? @body) @definition.method
(function_declaration name: (_) @name (function_body)? @body) @definition.function
(secondary_constructor "constructor" @name (block)? @body) @definition.method
(type_alias type: (_) @name) @definition.type
(source_file (property_declaration
  (modifiers (property_modifier "const")) (variable_declaration . (identifier) @name)) @definition.constant)
(source_file (property_declaration (variable_declaration . (identifier) @name)) @definition.variable)
(class_body (property_declaration (variable_declaration . (identifier) @name)) @definition.variable)

; Calls.
(call_expression . (identifier) @call.name)
(call_expression . (navigation_expression . (_) @call.receiver (identifier) @call.name .))
(delegation_specifier (constructor_invocation (user_type (identifier) @call.name .)))

; Imports.
(import) @import.tree

; Inheritance.
(class_declaration (delegation_specifiers (delegation_specifier [
  (user_type) @inherit.base
  (constructor_invocation (user_type) @inherit.base)
  (explicit_delegation . (user_type) @inherit.base)
])))
(object_declaration (delegation_specifiers (delegation_specifier [
  (user_type) @inherit.base
  (constructor_invocation (user_type) @inherit.base)
])))

; Words around the code.
(line_comment) @comment
(block_comment) @comment
(modifiers (annotation) @attribute)
(class_body) @block
(enum_class_body) @block
(block) @block
(source_file) @block

(class_declaration (modifiers (visibility_modifier ["private" "internal"]) @private))
(object_declaration (modifiers (visibility_modifier ["private" "internal"]) @private))
(function_declaration (modifiers (visibility_modifier ["private" "internal"]) @private))
(property_declaration (modifiers (visibility_modifier ["private" "internal"]) @private))

; Tests.
(annotation (user_type (identifier) @test)
  (#any-of? @test "Test" "ParameterizedTest" "RepeatedTest" "BeforeTest" "AfterTest" "BeforeEach" "AfterEach"
    "BeforeAll" "AfterAll" "Before" "After"))
