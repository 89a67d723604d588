"""Rulesets and options to one `Game`: `link.link_game`.

`compose` joins what rulesets declare, `elaborate` gives it meaning. It must not import `analysis`,
`runtime` or `compiling`.
"""
