"""Witnesses: smallest boards on which two games differ. Entry: `find`.

`random_divergence` searches by random play, `replay_under` plays a saved match under other rules.
It must not import `reports` or `authoring`.
"""
