"""Matches as environments for reinforcement learning; optional, not needed to play.

`pettingzoo_env.TableEnv` is a PettingZoo environment with an agent for every seat,
`gymnasium_env.SeatEnv` a Gymnasium environment for one seat, with bots at the others. Both observe
a match through `observation.Seen`.
"""
