"""Declarations with meaning: names, typed rules, the turn.

It takes what `compose` has gathered and imports no static check.
"""
