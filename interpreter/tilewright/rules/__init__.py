"""From folders to one checked game; nothing here plays.

In: the folders of rulesets, and which of them go together with which options. Out: a `Ruleset` for
each folder, a `Game` in which every name is resolved, and diagnostics. Its floors, from below:

- `model`: the contents of a ruleset, as frozen data
- `reading`: a folder becomes a `Ruleset`; `files/` describes every key of every file once
- `linking`: rulesets are joined (`compose/`), names resolved (`elaborate/`), and a `Game` is made
- `analysis`: what can be known of a game before it is played: conflicts, missing orders, idle rules

Begin with `model/ruleset.py`, `reading/library.py` and `linking/game.py`; `analysis/link.py` links
a game and checks it.
"""
