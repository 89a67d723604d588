"""Bots that choose for players, and the view of one player: `named`, `observation`.

It must not import packages that simulate.
"""
