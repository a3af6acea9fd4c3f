; Definitions. Where two patterns name the same token, the earlier pattern wins.
(class_declaration "struct" name: (type_identifier) @name) @definition.struct
(class_declaration "enum" name: (type_identifier) @name) @definition.enum
(class_declaration ["class" "actor"] name: (type_identifier) @name) @definition.class
(class_declaration "extension" name: (user_type) @name) @container
(protocol_declaration name: (_) @name) @definition.interface
(enum_entry name: (simple_identifier) @name) @definition.constant
(function_declaration name: (simple_identifier) @name) @definition.function
(protocol_function_declaration name: (simple_identifier) @name) @definition.method
(init_declaration "init" @name) @definition.method
(deinit_declaration "deinit" @name) @definition.method
(subscript_declaration "subscript" @name (computed_property) @body) @definition.method
(typealias_declaration . (modifiers)? name: (type_identifier) @name) @definition.type
(source_file (property_declaration name: (pattern bound_identifier: (_) @name)) @definition.variable)
(class_body (property_declaration name: (pattern bound_identifier: (_) @name)) @definition.variable)
(enum_class_body (property_declaration name: (pattern bound_identifier: (_) @name)) @definition.variable)

; Calls.
(call_expression . (simple_identifier) @call.name)
(call_expression . (navigation_expression
  target: (_) @call.receiver
  suffix: (navigation_suffix suffix: (simple_identifier) @call.name)))
(constructor_expression constructed_type: (user_type (type_identifier) @call.name))

; Imports.
(import_declaration (identifier) @import.module)

; Inheritance.
(inheritance_specifier inherits_from: (user_type) @inherit.base)

; Words around the code.
(comment) @comment
(multiline_comment) @comment
(modifiers (attribute) @attribute)
(statements) @block
(class_body) @block
(enum_class_body) @block
(protocol_body) @block
(source_file) @block

(function_declaration (modifiers (visibility_modifier ["private" "fileprivate"]) @private))
(class_declaration (modifiers (visibility_modifier ["private" "fileprivate"]) @private))
(property_declaration (modifiers (visibility_modifier ["private" "fileprivate"]) @private))

; Tests.
(class_declaration (inheritance_specifier inherits_from: (user_type (type_identifier) @test))
  (#match? @test "TestCase$"))
(modifiers (attribute (user_type (type_identifier) @test)) (#any-of? @test "Test" "Suite"))
