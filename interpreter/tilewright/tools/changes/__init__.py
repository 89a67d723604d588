"""What changed from one game to another, and how did a thing come to be? `diff.diff`, `provenance`.

It must not import `comparison`.
"""
