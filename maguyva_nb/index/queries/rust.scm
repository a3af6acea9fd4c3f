; Definitions. Where two patterns name the same token, the earlier pattern wins.
(function_item name: (_) @name) @definition.function
(function_signature_item name: (_) @name) @definition.function
(struct_item name: (_) @name) @definition.struct
(union_item name: (_) @name) @definition.struct
(enum_item name: (_) @name) @definition.enum
(enum_variant name: (_) @name) @definition.constant
(trait_item name: (_) @name) @definition.trait
(type_item name: (_) @name) @definition.type
(associated_type name: (_) @name) @definition.type
(mod_item name: (_) @name body: (_)) @definition.module
(macro_definition name: (_) @name . _ @body) @definition.macro
(const_item name: (_) @name) @definition.constant
(static_item name: (_) @name) @definition.constant

; An impl block holds the methods of a type; it is no symbol itself.
(impl_item type: [
  (type_identifier) @name
  (primitive_type) @name
  (scoped_type_identifier name: (_) @name)
  (generic_type type: (type_identifier) @name)
  (generic_type type: (scoped_type_identifier name: (_) @name))
  (reference_type type: (type_identifier) @name)
  (reference_type type: (generic_type type: (type_identifier) @name))
]) @container

; Calls, also inside macro arguments, which the grammar leaves as tokens.
(call_expression function: [
  (identifier) @call.name
  (scoped_identifier path: (_) @call.receiver name: (_) @call.name)
  (field_expression value: (_) @call.receiver field: (field_identifier) @call.name)
  (generic_function function: [
    (identifier) @call.name
    (scoped_identifier path: (_) @call.receiver name: (_) @call.name)
    (field_expression value: (_) @call.receiver field: (field_identifier) @call.name)
  ])
])
(macro_invocation macro: [
  (identifier) @call.name
  (scoped_identifier path: (_) @call.receiver name: (_) @call.name)
])
(struct_expression name: [
  (type_identifier) @call.name
  (scoped_type_identifier path: (_) @call.receiver name: (_) @call.name)
])
(token_tree [(identifier) (self)] @call.receiver . ["." "::"] . (identifier) @call.name . (token_tree . "("))
(token_tree (identifier) @call.name . (token_tree . "("))
(token_tree (identifier) @call.name . "!" . (token_tree))

; Imports.
(use_declaration) @import.tree
(extern_crate_declaration name: (_) @import.module)
(mod_item name: (_) @import.module !body (#set! prefix "self::"))

; Inheritance: supertraits, and the traits a type implements.
(trait_item bounds: (trait_bounds [(type_identifier) (scoped_type_identifier) (generic_type)] @inherit.base))
(impl_item trait: (_) @inherit.base type: [
  (type_identifier) @inherit.owner
  (generic_type type: (type_identifier) @inherit.owner)
])

; Words around the code.
(line_comment) @comment
(block_comment) @comment
(line_comment inner: (_) doc: (_) @doc)
(block_comment inner: (_) doc: (_) @doc)
(attribute_item) @attribute
(block) @block
(declaration_list) @block
(enum_variant_list) @block
(source_file) @block
(match_block) @block

; What a module shows.
(visibility_modifier) @exported

; Tests.
(attribute_item (attribute [
  (identifier) @test
  (scoped_identifier name: (identifier) @test)
]) (#any-of? @test "test" "rstest" "test_case" "bench" "quickcheck" "proptest"))
(attribute_item (attribute (identifier) @_cfg arguments: (token_tree) @test)
  (#eq? @_cfg "cfg")
  (#match? @test "^\\((all\\()?test\\b"))
(inner_attribute_item (attribute (identifier) @_cfg arguments: (token_tree) @test)
  (#eq? @_cfg "cfg")
  (#match? @test "^\\((all\\()?test\\b")
  (#set! marks "file"))
