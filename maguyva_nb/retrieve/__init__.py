"""The four retrievers: a parsed query becomes one ranked list each."""
