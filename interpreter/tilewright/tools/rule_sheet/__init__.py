"""The rules of one game on a sheet of paper: what holds, in the order of a turn.

`places` finds the step at which a rule acts, `amounts` the points that are paid; `compose` makes
the blocks, and `page` the web page.
"""
