"""A match as text and back, and played again from its log: `saves`, `replay`.

It must not import packages that explain or compare.
"""
