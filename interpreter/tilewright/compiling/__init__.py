"""A `Game` to a `Program`: rules as Python code objects, with bounds on their cost.

`compiler` is the entry. It imports `runtime` because compiled code names its library; it must not
import `tools`.
"""
