; Definitions. Where two patterns name the same token, the earlier pattern wins.
(class name: (_) @name) @definition.class
(module name: (_) @name) @definition.module
(method name: (_) @name) @definition.function
(singleton_method name: (_) @name) @definition.method
(assignment left: (constant) @name) @definition.constant
(alias name: (_) @name) @definition.method
(call
  method: (identifier) @_macro
  arguments: (argument_list (simple_symbol) @name @definition.variable)
  (#any-of? @_macro "attr_accessor" "attr_reader" "attr_writer"))

; Calls; a bare name in the place of a statement is one.
(call !receiver method: (_) @call.name)
(call receiver: (_) @call.receiver method: [(identifier) (constant) (operator)] @call.name)
(super) @call.name
(body_statement (identifier) @call.name)

; Imports.
(call
  method: (identifier) @_require
  arguments: (argument_list . (string (string_content) @import.module))
  (#any-of? @_require "require" "load" "autoload"))
(call
  method: (identifier) @_require
  arguments: (argument_list . (string (string_content) @import.module))
  (#eq? @_require "require_relative")
  (#set! prefix "./"))

; Inheritance: the superclass, and modules mixed in.
(superclass [(constant) (scope_resolution)] @inherit.base)
(call
  method: (identifier) @_mix
  arguments: (argument_list [(constant) (scope_resolution)] @inherit.base)
  (#any-of? @_mix "include" "extend" "prepend"))

; Words around the code.
(comment) @comment
(body_statement) @block
(block_body) @block
(then) @block
(program) @block

(call
  method: (identifier) @_private
  arguments: (argument_list (method name: (_) @private))
  (#any-of? @_private "private" "private_class_method"))

; Tests.
(class superclass: (superclass [(constant) @test (scope_resolution name: (constant) @test)])
  (#match? @test "^(Test|Spec|TestCase|.*Test|.*TestCase)$"))
(program (call method: (identifier) @test block: (_)
  (#any-of? @test "describe" "context" "feature") (#set! marks "file")))
(program (call receiver: (constant) @test block: (_) (#eq? @test "RSpec") (#set! marks "file")))
