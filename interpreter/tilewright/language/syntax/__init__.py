"""The syntax of effect text: grammar, syntax tree, parser, formatter, errors."""
