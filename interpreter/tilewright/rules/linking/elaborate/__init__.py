"""Elaborates gathered declarations: resolves names, types rules and orders the turn.

It takes the result of `compose` and imports no static check.
"""
