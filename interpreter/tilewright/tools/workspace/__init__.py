"""Sources of rulesets: loaded games, `with` conditions, unsaved texts, git, a cache.

Entry: `loading.load_game`. It imports no other package of `tools`.
"""
