"""The language server: it asks `tools.editor` and has no logic of its own."""
