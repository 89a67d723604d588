"""A match: its board, its state, and the library that compiled rules call.

`new_match` begins one; `match` is the only writer of state. It must not import `compiling`.
"""
