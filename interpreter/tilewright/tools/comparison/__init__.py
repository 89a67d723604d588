"""The comparison of games, topic by topic. Entry: `compare.compare`.

It reads games and never plays them: it must not import `witness` or `scenarios`.
"""
