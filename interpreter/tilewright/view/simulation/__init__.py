"""The page of a simulation and its plots."""
