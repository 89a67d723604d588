"""Is a ruleset sound? `check.check` finds every diagnostic; `lints` and `baseline` belong to it.

It must not import packages that play matches.
"""
