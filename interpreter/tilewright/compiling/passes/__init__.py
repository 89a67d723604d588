"""Passes that make rules cheaper before they are emitted, and leave their results as they are."""
