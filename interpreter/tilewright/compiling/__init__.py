"""A `Game` to a `Program`: rules as Python code objects, with bounds on their cost.

`compile_game` is the entry. It imports `runtime` because compiled code names its library; it must
not import `analysis` or `tools`.
"""
