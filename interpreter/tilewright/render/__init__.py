"""Boards, tables and pages from results: text, SVG, PNG, markdown, HTML. It decides nothing."""
