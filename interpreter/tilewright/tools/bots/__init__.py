"""Players that are programs, and what a player can see: `named`, `observation`.

It must not import packages that simulate.
"""
