"""Mutation tests of rules: which changes of a rule no scenario notices. Entry: `run.mutate`.

It must not import `witness`.
"""
