"""Lowers the typed trees of rules to the intermediate form."""
