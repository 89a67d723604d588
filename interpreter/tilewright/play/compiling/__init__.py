"""Compiles a `Game` to a `Program`: rules become Python code objects with bounds on their cost.

`compile_game` is the entry. It imports the engine, whose library compiled code calls, and no check
of `rules/analysis`.
"""
