"""Links rulesets and options to one `Game`. Call `tilewright.analysis.link`, which also checks it.

`compose` merges the declarations of the rulesets, `elaborate` resolves names and types, and `link`
builds the game. This package must not import `analysis`, `runtime` or `compiling`.
"""
