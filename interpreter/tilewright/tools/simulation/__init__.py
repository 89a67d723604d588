"""Simulation of many games. Entry: `run.simulate`; `results` evaluates the games played.

It must not import `comparison` or `witness`.
"""
