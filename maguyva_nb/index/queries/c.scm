; What is only true of C, beside cfamily.scm: a static function belongs to its file.
(function_definition (storage_class_specifier) @private (#eq? @private "static"))
