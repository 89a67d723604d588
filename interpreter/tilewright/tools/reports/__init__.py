"""Pages made of what other packages found: comparison, matrix, simulation, reference.

No other package but `editor` imports it.
"""
