"""A comparison, its history and its witnesses in words: for a terminal, markdown and HTML."""
