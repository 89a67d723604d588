"""Static checks of a linked game: overlap, order, termination, unused and ineffective rules.

Entry: `link.link`, which links a game and checks it. Each other module looks at parts of a game;
`conditions` is the domain in which they reason. `play` does not import it.
"""
