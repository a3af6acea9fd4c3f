; What only the grammars of TypeScript and TSX have, beside ecmascript.scm.
(abstract_class_declaration name: (_) @name) @definition.class
(interface_declaration name: (_) @name) @definition.interface
(enum_declaration name: (_) @name) @definition.enum
(enum_body name: (_) @name @definition.constant)
(enum_body (enum_assignment name: (_) @name) @definition.constant)
(type_alias_declaration name: (_) @name) @definition.type
(internal_module name: (_) @name) @definition.module
(module name: (_) @name) @definition.module
(function_signature name: (identifier) @name) @definition.function
(abstract_method_signature name: (_) @name) @definition.method
(method_signature name: (_) @name) @definition.method
(class_body (public_field_definition name: (_) @name value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)
]) @definition.method)
(class_body (public_field_definition name: (_) @name) @definition.variable)
(ambient_declaration (lexical_declaration (variable_declarator name: (identifier) @name) @definition.constant))
(ambient_declaration (variable_declaration (variable_declarator name: (identifier) @name) @definition.variable))

(import_statement (import_require_clause (identifier) @import.alias source: (string) @import.module))

(extends_clause value: (_) @inherit.base)
(implements_clause (_) @inherit.base)
(extends_type_clause type: (_) @inherit.base)

(export_statement "=" (identifier) @exported.name)
(export_statement declaration: (ambient_declaration (_ name: (_) @exported)))
(method_definition (accessibility_modifier) @private (#eq? @private "private"))
(public_field_definition (accessibility_modifier) @private (#eq? @private "private"))
(interface_body) @block
