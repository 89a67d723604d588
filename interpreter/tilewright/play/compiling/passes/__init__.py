"""Passes that make rules cheaper before they are written, and leave their results as they are."""
