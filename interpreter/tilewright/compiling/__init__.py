"""Compiles a `Game` to a `Program`: rules become Python code objects with bounds on their cost.

`compile_game` is the entry. This package imports `runtime` because compiled code calls its library;
it must not import `analysis` or `tools`.
"""
