"""What do rules do to many games? `run` plays them, `results` says what was found.

It must not import `comparison` or `witness`.
"""
