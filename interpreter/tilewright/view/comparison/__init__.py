"""Comparisons, histories and witnesses in words: for a terminal, Markdown and HTML."""
