"""Requests of an editor about files while they are edited: one module for each kind of request.

Entries: `completion`, `hover`, `rename`, `quick_fixes`, `live_diagnostics`, `document_symbols`.
It must not import `lsp`.
"""
