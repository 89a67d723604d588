"""The ways in for people and programs; no logic of its own.

In: the words of a command line, the messages of a page or an editor, calls of a program. Out: calls
of `tools`, and their results printed, sent or returned.

- `api`: `import tilewright`, for programs; the other faces are above it
- `cli`: the command line, one file for each verb in `commands/`, and the screen of a match
- `studio`: the page in a browser, and its messages
- `lsp`: editors
- `adapters`: environments of PettingZoo and Gymnasium

Begin with `cli/app.py`, `studio/service.py`, `lsp/features.py` or `api/__init__.py`.
"""
