"""The checker of rulesets. Entry: `check.check`, all diagnostics; `lints` finds probable mistakes.

It must not import packages that play matches.
"""
