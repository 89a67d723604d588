"""Passes that make bytecode shorter, and leave its results as they are."""
