"""The formatter of files, and a game flattened into one ruleset: `format_file`, `flatten`.

It must not import packages that check or play.
"""
