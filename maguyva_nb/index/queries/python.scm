; Definitions. Where two patterns name the same token, the earlier pattern wins.
(function_definition name: (identifier) @name) @definition.function
(class_definition name: (identifier) @name) @definition.class
(type_alias_statement left: (type [(identifier) (generic_type (identifier) @name)] @name)) @definition.type
(module (expression_statement (assignment left: (identifier) @name) @definition.variable))
(module (expression_statement (assignment left: (pattern_list (identifier) @name)) @definition.variable))
(module [
  (if_statement consequence: (block (expression_statement (assignment left: (identifier) @name) @definition.variable)))
  (try_statement body: (block (expression_statement (assignment left: (identifier) @name) @definition.variable)))
])
(class_definition
  body: (block (expression_statement (assignment left: (identifier) @name) @definition.variable)))

; Calls; a decorator is one.
(call function: [
  (identifier) @call.name
  (attribute object: (_) @call.receiver attribute: (identifier) @call.name)
])
(decorator [
  (identifier) @call.name
  (attribute object: (_) @call.receiver attribute: (identifier) @call.name)
])

; Imports.
(import_statement name: (dotted_name) @import.module)
(import_statement name: (aliased_import name: (dotted_name) @import.module alias: (identifier) @import.alias))
(import_from_statement module_name: (_) @import.module name: (dotted_name) @import.name)
(import_from_statement
  module_name: (_) @import.module
  name: (aliased_import name: (dotted_name) @import.name alias: (identifier) @import.alias))
(import_from_statement module_name: (_) @import.module (wildcard_import) @import.star)
(future_import_statement "__future__" @import.module name: (dotted_name) @import.name)

; Inheritance.
(class_definition superclasses: (argument_list [(identifier) (attribute) (subscript) (call)] @inherit.base))

; Words around the code.
(comment) @comment
(module . (comment)* . (expression_statement . (string) @docstring .))
(class_definition body: (block . (comment)* . (expression_statement . (string) @docstring .)))
(function_definition body: (block . (comment)* . (expression_statement . (string) @docstring .)))
(decorator) @attribute
(block) @block
(module) @block

; Tests that are not known by name.
(class_definition
  superclasses: (argument_list [(identifier) @test (attribute attribute: (identifier) @test)])
  (#match? @test "TestCase$"))
(decorator [
  (attribute object: (identifier) @_module attribute: (identifier) @test)
  (call function: (attribute object: (identifier) @_module attribute: (identifier) @test))
  ] (#eq? @_module "pytest") (#eq? @test "fixture"))
