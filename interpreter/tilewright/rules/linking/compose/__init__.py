"""Selects the rulesets of a game (`select`) and collects their declarations (`gather`).

Declarations stay untyped here. This package does not import `elaborate`.
"""
