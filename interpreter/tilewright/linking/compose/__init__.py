"""Which rulesets play together, and all that they declare in one place: `select`, `gather`.

Nothing is typed here; it imports no module of `elaborate`.
"""
