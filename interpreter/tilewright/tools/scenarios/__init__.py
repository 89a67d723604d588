"""Scenarios: `runner` sets up a situation, plays it and checks its expectations.

It must not import `witness` or `mutation`.
"""
