"""Emitters: from the typed tree of a rule to syntax trees of Python."""
