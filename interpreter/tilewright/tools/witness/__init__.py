"""A smallest board on which two games differ. Entry: `find`; `random_divergence` plays at random,
`replay_under` plays a saved match under other rules.

It must not import `reports` or `authoring`.
"""
