; What C and C++ share. Where two patterns name the same token, the earlier pattern wins.
; A declaration without a body is no definition.
(function_definition declarator: (function_declarator declarator: (_) @name) (#set! split "::")) @definition.function
(function_definition declarator: (pointer_declarator
  declarator: (function_declarator declarator: (_) @name)) (#set! split "::")) @definition.function
(function_definition declarator: (pointer_declarator declarator: (pointer_declarator
  declarator: (function_declarator declarator: (_) @name))) (#set! split "::")) @definition.function
(struct_specifier name: (_) @name body: (_)) @definition.struct
(union_specifier name: (_) @name body: (_)) @definition.struct
(enum_specifier name: (_) @name body: (_)) @definition.enum
(enumerator name: (identifier) @name) @definition.constant
(type_definition type: (struct_specifier !name body: (_) @body) declarator: (type_identifier) @name) @definition.struct
(type_definition type: (union_specifier !name body: (_) @body) declarator: (type_identifier) @name) @definition.struct
(type_definition type: (enum_specifier !name body: (_) @body) declarator: (type_identifier) @name) @definition.enum
(type_definition
  type: (struct_specifier name: (_) @_tag body: (_))
  declarator: (type_identifier) @name @definition.type (#not-eq? @_tag @name))
(type_definition
  type: (enum_specifier name: (_) @_tag body: (_))
  declarator: (type_identifier) @name @definition.type (#not-eq? @_tag @name))
(type_definition type: [
  (primitive_type) (sized_type_specifier) (type_identifier)
  (struct_specifier !body) (union_specifier !body) (enum_specifier !body)
  ] declarator: [
  (type_identifier) @name
  (pointer_declarator declarator: (type_identifier) @name)
  (array_declarator declarator: (type_identifier) @name)
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))
  (function_declarator declarator: (type_identifier) @name)
]) @definition.type
(preproc_function_def name: (identifier) @name) @definition.macro
(preproc_def name: (identifier) @name value: (_)) @definition.constant
([
  (translation_unit (declaration declarator: [
    (identifier) @name
    (init_declarator declarator: (identifier) @name)
    (array_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (identifier) @name)
    (init_declarator declarator: [
      (pointer_declarator declarator: (identifier) @name)
      (array_declarator declarator: (identifier) @name)
      (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
    ])
  ]) @definition.variable)
  (preproc_ifdef (declaration declarator: (init_declarator declarator: (identifier) @name)) @definition.variable)
  (preproc_if (declaration declarator: (init_declarator declarator: (identifier) @name)) @definition.variable)
] (#not-match? @definition.variable "^extern"))

; Calls.
(call_expression function: [
  (identifier) @call.name
  (field_expression argument: (_) @call.receiver field: (field_identifier) @call.name)
])

; Imports.
(preproc_include path: [(system_lib_string) (string_literal)] @import.module)

; Words around the code.
(comment) @comment
(compound_statement) @block
(translation_unit) @block
(preproc_ifdef) @block
(preproc_if) @block
(field_declaration_list) @block
(enumerator_list) @block
