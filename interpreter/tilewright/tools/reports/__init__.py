"""Pages from the results of other packages: comparison, matrix, simulation, reference.

No other package but `editor` imports it.
"""
