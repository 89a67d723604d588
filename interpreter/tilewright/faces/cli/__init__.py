"""The command line: `app` finds the verb, `commands` has one file a verb, `views` the pages.

It calls `tools` and prints the results; it has no logic of its own.
"""
