"""Templates of a house rule, an expansion or a scenario: `house_rule`, `expansion`, `scenario`.

It must not import `editor`.
"""
