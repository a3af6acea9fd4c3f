; Definitions. Where two patterns name the same token, the earlier pattern wins.
(function_declaration name: (identifier) @name) @definition.function
(function_declaration name: (dot_index_expression table: (_) @owner field: (identifier) @name)) @definition.function
(function_declaration name: (method_index_expression table: (_) @owner method: (identifier) @name)) @definition.method
(assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list . value: (function_definition body: (_)? @body))) @definition.function
(assignment_statement
  (variable_list . name: (dot_index_expression table: (_) @owner field: (identifier) @name))
  (expression_list . value: (function_definition body: (_)? @body))) @definition.function
(field name: (identifier) @name value: (function_definition)) @definition.method
(chunk (variable_declaration (assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list . value: (_) @_value)) @definition.variable)
  (#not-match? @_value "^require\\b"))
(chunk (assignment_statement (variable_list . name: (identifier) @name)) @definition.variable)

; Calls.
(function_call name: [
  (identifier) @call.name
  (dot_index_expression table: (_) @call.receiver field: (identifier) @call.name)
  (method_index_expression table: (_) @call.receiver method: (identifier) @call.name)
])

; Imports.
(assignment_statement
  (variable_list . name: (identifier) @import.alias)
  (expression_list . value: (function_call
    name: (identifier) @_require
    arguments: (arguments . (string content: (_) @import.module))))
  (#eq? @_require "require"))
(chunk (function_call
  name: (identifier) @_require
  arguments: (arguments . (string content: (_) @import.module)))
  (#any-of? @_require "require" "dofile"))

; Words around the code.
(comment) @comment
(block) @block
(chunk) @block

; Tests: busted.
(chunk (function_call name: (identifier) @test arguments: (arguments (function_definition)))
  (#any-of? @test "describe" "it" "context") (#set! marks "file"))
