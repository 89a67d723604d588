"""Explanations of points and of options that are not offered: `points`, `legality`.

It must not import `scenarios`.
"""
