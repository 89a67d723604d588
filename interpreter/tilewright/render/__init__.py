"""Boards, tables and pages from results: text, SVG, PNG, Markdown, HTML. It makes no decisions."""
