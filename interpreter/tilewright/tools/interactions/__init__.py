"""Interactions of rulesets: `matrix` tries pairs and mixes; `overlaps` finds where two meet.

It must not import `comparison` or `witness`.
"""
