; What only JavaScript's grammar has, beside ecmascript.scm.
(class_body (field_definition property: (_) @name value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)
]) @definition.method)
(class_body (field_definition property: (_) @name) @definition.variable)
(class_heritage (_) @inherit.base)
