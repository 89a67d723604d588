"""What an editor asks about files that are being written: one module for each request.

It must not import `lsp`.
"""
