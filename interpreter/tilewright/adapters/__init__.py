"""Matches as environments of the libraries that learning programs use; extras, not needed to play.

`aec.TableEnv` is a PettingZoo environment in which every seat is an agent, `single.SeatEnv` a
Gymnasium one for a single seat, with bots at the others. Both see a match through `seen.Seen`.
"""
