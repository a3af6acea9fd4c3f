(function_definition name: (_) @name) @definition.function
(program (variable_assignment name: (variable_name) @name) @definition.variable)
(program (declaration_command (variable_assignment name: (variable_name) @name)) @definition.variable)

(command name: (command_name (word) @call.name))

(command
  name: (command_name) @_source
  argument: [(word) (string) (raw_string)] @import.module
  (#any-of? @_source "source" "."))

(comment) @comment
(compound_statement) @block
(do_group) @block
(if_statement) @block
(case_item) @block
(program) @block
