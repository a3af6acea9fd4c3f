; What JavaScript, TypeScript and TSX share. Where two patterns name the same token, the earlier one wins.

; Functions: declared, assigned to a name, or members of objects.
(function_declaration name: (identifier) @name) @definition.function
(generator_function_declaration name: (identifier) @name) @definition.function
(variable_declarator
  name: (identifier) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @definition.function
(method_definition name: (_) @name) @definition.method
(pair
  key: [(property_identifier) (string)] @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @definition.method
(assignment_expression
  left: (member_expression object: (identifier) @_exports property: (property_identifier) @name)
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]
  (#eq? @_exports "exports")) @definition.function
(assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @name)
  right: [(arrow_function body: (_) @body) (function_expression !name body: (_) @body)]
  (#eq? @_module "module")) @definition.function
(assignment_expression
  left: (identifier) @name
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.function
(assignment_expression
  left: (member_expression property: (_) @_property)
  right: (function_expression name: (identifier) @name) @definition.function
  (#not-eq? @_property @name))
(assignment_expression
  left: (subscript_expression)
  right: (function_expression name: (identifier) @name) @definition.function)
(pair
  key: (_) @_property
  value: (function_expression name: (identifier) @name) @definition.function
  (#not-eq? @_property @name))
(arguments (function_expression name: (identifier) @name) @definition.function)
(return_statement (function_expression name: (identifier) @name) @definition.function)
(parenthesized_expression (function_expression name: (identifier) @name) @definition.function)
(arrow_function body: (function_expression name: (identifier) @name) @definition.function)
(assignment_expression
  left: (member_expression
    object: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
    property: (property_identifier) @name)
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]
  (#eq? @_module "module")
  (#eq? @_exports "exports")) @definition.function
(assignment_expression
  left: (member_expression
    object: (member_expression object: (_) @owner property: (property_identifier) @_prototype)
    property: (property_identifier) @name)
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]
  (#eq? @_prototype "prototype")) @definition.method
(assignment_expression
  left: (member_expression object: [(identifier) (member_expression)] @owner property: (property_identifier) @name)
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]
  (#not-match? @owner "^module\\b|^this\\b")) @definition.method
(assignment_expression
  left: (member_expression object: (this) property: (property_identifier) @name)
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method

; Classes and module-level values; a value that only loads a module is an import.
(class_declaration name: (_) @name) @definition.class
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @definition.class
(assignment_expression right: (class name: (_) @name) @definition.class)
(return_statement (class name: (_) @name) @definition.class)
(arguments (class name: (_) @name) @definition.class)
(program (lexical_declaration
  kind: "const"
  (variable_declarator name: (identifier) @name value: (_) @_value) @definition.constant)
  (#not-match? @_value "^(await )?(require|import)\\("))
(program (export_statement declaration: (lexical_declaration
  kind: "const"
  (variable_declarator name: (identifier) @name) @definition.constant)))
(program (lexical_declaration
  kind: "let"
  (variable_declarator name: (identifier) @name) @definition.variable))
(program (export_statement declaration: (lexical_declaration
  kind: "let"
  (variable_declarator name: (identifier) @name) @definition.variable)))
(program (variable_declaration
  (variable_declarator name: (identifier) @name value: (_) @_value) @definition.variable)
  (#not-match? @_value "^require\\("))
(program (variable_declaration (variable_declarator name: (identifier) @name !value) @definition.variable))

; Calls: of functions, methods, constructors, decorators.
(call_expression function: [
  (identifier) @call.name
  (super) @call.name
  (member_expression object: (_) @call.receiver property: (_) @call.name)
])
(new_expression constructor: [
  (identifier) @call.name
  (member_expression object: (_) @call.receiver property: (_) @call.name)
])
(decorator [
  (identifier) @call.name
  (member_expression object: (_) @call.receiver property: (_) @call.name)
])

; Imports: of modules, re-exports, and CommonJS.
(import_statement (import_clause (identifier) @import.alias) source: (string) @import.module (#set! name "default"))
(import_statement
  (import_clause (named_imports (import_specifier name: (_) @import.name !alias)))
  source: (string) @import.module)
(import_statement
  (import_clause (named_imports (import_specifier name: (_) @import.name alias: (_) @import.alias)))
  source: (string) @import.module)
(import_statement (import_clause (namespace_import (identifier) @import.alias)) source: (string) @import.module)
(import_statement . source: (string) @import.module)
(export_statement
  (export_clause (export_specifier name: (_) @import.name !alias))
  source: (string) @import.module)
(export_statement
  (export_clause (export_specifier name: (_) @import.name alias: (_) @import.alias))
  source: (string) @import.module)
(export_statement "*" @import.star source: (string) @import.module)
(export_statement (namespace_export (_) @import.alias) source: (string) @import.module)
(call_expression function: (import) arguments: (arguments . (string) @import.module))
(variable_declarator
  name: (identifier) @import.alias
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module))
  (#eq? @_require "require"))
(variable_declarator
  name: (identifier) @import.alias
  value: (member_expression
    object: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module))
    property: (property_identifier) @import.name)
  (#eq? @_require "require"))
(variable_declarator
  name: (object_pattern (shorthand_property_identifier_pattern) @import.name)
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module))
  (#eq? @_require "require"))
(variable_declarator
  name: (object_pattern (pair_pattern key: (property_identifier) @import.name value: (identifier) @import.alias))
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module))
  (#eq? @_require "require"))
(expression_statement
  (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module))
  (#eq? @_require "require"))
(assignment_expression
  right: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module))
  (#eq? @_require "require"))

; What a module shows.
(export_statement declaration: (_ name: (_) @exported))
(export_statement declaration: (_ (variable_declarator name: (identifier) @exported)))
(export_statement !source (export_clause (export_specifier name: (_) @exported.name)))
(export_statement value: (identifier) @exported.name)
(assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
  right: [
    (identifier) @exported.name
    (object (shorthand_property_identifier) @exported.name)
    (object (pair value: (identifier) @exported.name))
  ]
  (#eq? @_module "module")
  (#eq? @_exports "exports"))
(assignment_expression
  left: (member_expression object: (identifier) @_exports property: (property_identifier) @exported.name)
  (#eq? @_exports "exports"))
(assignment_expression
  left: (member_expression object: (member_expression property: (property_identifier) @_exports)
    property: (property_identifier) @exported.name)
  (#eq? @_exports "exports"))

(assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
  right: (object [(method_definition name: (_) @exported) (pair key: (_) @exported)])
  (#eq? @_module "module")
  (#eq? @_exports "exports"))
(export_statement value: (object [(method_definition name: (_) @exported) (pair key: (_) @exported)]))

; Words around the code.
(comment) @comment
(decorator) @attribute
(program) @block
(statement_block) @block
(class_body) @block
(switch_body) @block

; A file that calls a test runner at its top level is a test.
(program (expression_statement (call_expression
  function: [
    (identifier) @test
    (member_expression object: (identifier) @test)
    (call_expression function: (member_expression object: (identifier) @test))
  ]
  arguments: (arguments . [(string) (template_string)] [(arrow_function) (function_expression)]))
  (#any-of? @test "describe" "it" "test" "suite" "context" "QUnit") (#set! marks "file")))
