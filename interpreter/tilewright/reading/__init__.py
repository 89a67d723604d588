"""The files of a folder to a `Ruleset`, with all that is wrong with their shape.

`library.Library` finds rulesets and reads each once. It imports neither `language` trees nor
anything that links.
"""
