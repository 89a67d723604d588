"""The types of effect text: names are resolved, and the syntax tree becomes a typed tree."""
