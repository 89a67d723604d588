"""The ground floor: texts with places, diagnostics, and the language of effects.

In: files of authors. Out: trees of YAML, syntax trees and typed trees of conditions and effects,
and diagnostics. It knows no ruleset, no game and no match. Its floors, from below:

- `locale`: the words of the program in each language
- `source`: text with places, YAML, diagnostics and the forms in which they are shown
- the table of primitives: `builtins.py`, one row for each attribute, function, test and effect
- `syntax`: effect text becomes a syntax tree, and is formatted
- `typing`: a syntax tree becomes a typed tree, in which every name has its meaning

Begin with `source/diagnostics.py`, then `builtins.py`, `syntax/ast.py` and `typing/typed_ast.py`.
"""
