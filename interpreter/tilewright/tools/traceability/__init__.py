"""From a statement to its rules to their scenarios, and what is still open.

Entry: `statement_coverage`. It must not import packages that play matches.
"""
