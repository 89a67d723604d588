"""Readers of the files of a ruleset, one for each file, and what they have in common."""
