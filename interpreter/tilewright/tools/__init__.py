"""Analyses of rulesets, games and matches, with plain results: one package for each subject.

Nothing here prints. It must not import `api`, `cli`, `lsp` or `adapters`.
"""
