"""Do scenarios notice when a rule is changed? Entry: `run`.

It must not import `witness`.
"""
