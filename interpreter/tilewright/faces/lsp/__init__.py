"""The language server: requests go to `tools.editor`. It has no logic of its own."""
