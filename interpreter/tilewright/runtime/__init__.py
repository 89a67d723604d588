"""The engine of a match: its state, its board, and the functions that compiled rules call.

`new_match` starts a match and `match` is the only writer of state. This package never imports
`compiling`: it runs a finished `Program`.
"""
