"""Files in their canonical form, and a game written as one ruleset: `format_file`, `flatten`.

It must not import packages that check or play.
"""
