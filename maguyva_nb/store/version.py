"""The version of schema.sql: raised with every change that an older program could misread."""

SCHEMA_VERSION = "1"
