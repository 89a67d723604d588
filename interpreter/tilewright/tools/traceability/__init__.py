"""Traceability from statements to rules to scenarios, and the open questions of rulebooks.

Entry: `statement_coverage`. It must not import packages that play matches.
"""
