"""Links rulesets and options to one `Game`. Call `rules/analysis/link.py`, which also checks it.

`compose` merges the declarations of the rulesets, `elaborate` resolves names and types, and `link`
builds the game.
"""
