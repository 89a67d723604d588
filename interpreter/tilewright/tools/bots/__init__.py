"""Players that are programs, and what a player can see: `base`, `mcts`, `observation`.

It must not import packages that simulate.
"""
