"""Translates syntax trees of compiled rules to instructions, form by form."""
