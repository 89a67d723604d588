"""The model of a page, and its writers for Markdown and HTML; the terminal has its own in `cli`."""
