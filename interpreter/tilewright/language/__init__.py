"""The language of conditions and effects: grammar, syntax tree, types, the typed tree.

`parser` makes the syntax tree, `typecheck` and `typecheck_effects` make the typed tree. It knows
no ruleset and imports nothing but `source`.
"""
