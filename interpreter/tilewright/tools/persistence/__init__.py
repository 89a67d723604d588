"""Saves: a match written as text, read back, and replayed from its log: `saves`, `replay`.

It must not import packages that explain or compare.
"""
