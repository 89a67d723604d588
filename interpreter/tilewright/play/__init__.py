"""From a game to matches, on two engines.

In: a `Game`. Out: a `Program`, which is frozen data, and matches of it: options to choose from, a
log, points, and what each player may see. `match.py` is the only writer of the state of a match.
Its floors, from below:

- the engine: the modules of this folder, `board`, the `library` that compiled rules call, and
  `native`, the door to the core in Rust; it runs a finished program and never imports `compiling`
- `compiling`: rules become a small form (`form.py`), and from it Python code and bytecode
- `bots`: functions from a match to the number of an option

Begin with `match.py` and `program.py`, then `compiling/compile_game.py`.
"""
