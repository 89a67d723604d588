"""Why does somebody have points, and why may something not be done? `points`, `legality`.

It must not import `scenarios`.
"""
