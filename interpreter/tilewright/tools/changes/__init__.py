"""Changes between two versions of a game, and the history of one thing: `diff.diff`, `provenance`.

It must not import `comparison`.
"""
