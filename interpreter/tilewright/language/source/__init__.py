"""Texts with places, YAML, and diagnostics with the forms in which they are shown.

Begin with `text` and `diagnostics`. It imports no other part of the package.
"""
