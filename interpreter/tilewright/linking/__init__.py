"""Rulesets and options to one `Game`; `tilewright.analysis.link` makes it and checks it.

`compose` joins what rulesets declare, `elaborate` gives it meaning, `link` makes the game of it.
It must not import `analysis`,
`runtime` or `compiling`.
"""
