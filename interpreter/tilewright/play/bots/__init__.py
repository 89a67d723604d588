"""Bots that choose for players: `named`.

It must not import packages that simulate.
"""
