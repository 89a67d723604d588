"""Reads the files of a folder into a `Ruleset`, and reports errors of their shape.

`library.Library` finds rulesets and reads each once. This package imports neither `language` trees
nor `linking`.
"""
