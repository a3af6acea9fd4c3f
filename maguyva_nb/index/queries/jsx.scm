; A component used as an element is called.
(jsx_opening_element name: (identifier) @call.name (#match? @call.name "^[A-Z]"))
(jsx_opening_element
  name: (member_expression object: (_) @call.receiver property: (_) @call.name))
(jsx_self_closing_element name: (identifier) @call.name (#match? @call.name "^[A-Z]"))
(jsx_self_closing_element
  name: (member_expression object: (_) @call.receiver property: (_) @call.name))
