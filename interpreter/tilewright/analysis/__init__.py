"""Static checks of a linked game: overlap, order, termination, unused and ineffective rules.

Each module has a function that takes parts of a `Game` and reports. `runtime` and `compiling`
do not import it.
"""
