"""What verbs print: one module for each page."""
