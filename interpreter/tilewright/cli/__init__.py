"""The command line: `app` finds the verb, `commands` has one file a verb, `views` the pages.

It asks `tools` and prints; it has no logic of its own.
"""
