"""A small hand-written loop: the base game with farmers, two players, random, everything
hard-coded.

It is the yardstick of `random_play.py`: what plain Python can do when it knows the game, cannot
pause, checks nothing and serves nobody else. It shares no code with the engine; its tile tables are
made from the same tile data by `tables`.
"""

from __future__ import annotations

from random import Random
from typing import Any

ROAD, CITY, FIELD, MONK = range(4)
STEPS = (1024, 1, -1024, -1)
AROUND = (1024, 1025, 1, -1023, -1024, -1025, -1, 1023)
KINDS = {"road": ROAD, "city": CITY, "field": FIELD, "monastery": MONK}
EDGE = {"city": 1, "field": 2, "road": 3}


def tables(pieces: Any) -> tuple[list[int], list[list[Any]], int]:
    """The bag, the oriented tiles of each kind, and the kind of the start tile."""
    bag: list[int] = []
    kinds: list[list[Any]] = []
    start = 0
    for number, piece in enumerate(pieces):
        bag += [number] * piece.count
        if piece.id == "city1_road_straight":
            start = number
        face = piece.faces[0][0]
        seen, turned = set(), []
        for turn in range(4):
            edges = tuple(EDGE[face.edges[(side - turn) % 4]] for side in range(4))
            ports = {}
            rows = []
            for index, s in enumerate(face.segments):
                mine = sorted((p + 3 * turn) % 12 for p in s.ports)
                for p in mine:
                    ports[p] = index
                names = [x.id for x in face.segments]
                rows.append(
                    (
                        KINDS[s.kind],
                        tuple(mine),
                        dict(s.attributes).get("shields", 0),
                        tuple(names.index(b) for b in s.borders),
                    )
                )
            key = (edges, tuple(sorted((r[0], r[1], r[2]) for r in rows)))
            if key in seen:
                continue
            seen.add(key)
            segments = []
            for kind, mine, shields, borders in rows:
                joins = []
                for p in mine:
                    side, part = divmod(p, 3)
                    if kind == CITY and part != 1:
                        continue
                    if kind == FIELD and part == 2 and edges[side] == EDGE["field"]:
                        continue
                    joins.append((side, STEPS[side], 3 * ((side + 2) % 4) + 2 - part))
                segments.append((kind, tuple(joins), len(joins), shields, borders))
            demand = sum(e << 2 * i for i, e in enumerate(edges))
            turned.append(
                (edges, tuple(segments), tuple(ports.get(p, -1) for p in range(12)), demand)
            )
        kinds.append(turned)
    return bag, kinds, start


def fit_tables(kinds: list[list[Any]]) -> tuple[list[bytes], list[list[tuple[int, ...]]]]:
    """For each kind and each demand of a cell: how many orientations fit, and which."""
    counts, which = [], []
    for turned in kinds:
        row = []
        for demand in range(256):
            wanted = [demand >> 2 * i & 3 for i in range(4)]
            row.append(
                tuple(
                    o
                    for o, tile in enumerate(turned)
                    if all(w in (0, e) for w, e in zip(wanted, tile[0], strict=True))
                )
            )
        which.append(row)
        counts.append(bytes(len(r) for r in row))
    return counts, which


def play(setup: Any, seed: int) -> list[int]:
    """One whole game; the points of the two players."""
    bag0, kinds, start, counts, which = setup
    rnd = Random(seed).random
    bag = bag0[:]
    bag.remove(start)
    at: dict[int, int] = {}
    rows: list[tuple[int, ...]] = []  # by tile, by port: feature
    parent: list[int] = []
    kind: list[int] = []
    ends: list[int] = []
    tiles: list[int] = []
    shields: list[int] = []
    borders: list[int] = []
    men: list[int] = []  # bits: figures of player 0 in steps of 1 << 0, of player 1 << 8
    waiting: dict[int, list[int]] = {}
    cells = [524800]
    demand = bytearray(1)
    position = {524800: 0}
    points = [0, 0]
    supply = [7, 7]
    player = 0
    piece, cell, o = start, 524800, 0
    first = True
    while True:
        edges, segments, ports, _ = kinds[piece][o]
        tile = len(rows)
        bit = 1 << tile
        place = position.pop(cell)
        last = cells.pop()
        moved = demand.pop()
        if last != cell:
            cells[place] = last
            demand[place] = moved
            position[last] = place
        for side in range(4):
            beside = cell + STEPS[side]
            if beside not in at:
                value = edges[side] << 2 * ((side + 2) & 3)
                where = position.get(beside)
                if where is None:
                    position[beside] = len(cells)
                    cells.append(beside)
                    demand.append(value)
                else:
                    demand[where] |= value
        mine = []
        closed = []
        for k, joins, count, arms, _b in segments:
            root = -1
            left = count
            for _side, step, port in joins:
                other = at.get(cell + step)
                if other is not None:
                    f = rows[other][port]
                    while parent[f] != f:
                        f = parent[f]
                    left -= 2
                    if root < 0:
                        root = f
                    elif f != root:
                        parent[f] = root
                        ends[root] += ends[f]
                        tiles[root] |= tiles[f]
                        shields[root] += shields[f]
                        borders[root] |= borders[f]
                        men[root] += men[f]
            if root < 0:
                root = len(parent)
                parent.append(root)
                kind.append(k)
                ends.append(left)
                tiles.append(bit)
                shields.append(arms)
                borders.append(0)
                men.append(0)
                if k == MONK:
                    for step in AROUND:
                        if cell + step in at:
                            continue
                        ends[root] += 1
                        waiting.setdefault(cell + step, []).append(root)
            else:
                ends[root] += left
                tiles[root] |= bit
                shields[root] += arms
            mine.append(root)
        for index, segment in enumerate(segments):
            for other in segment[4]:
                f = mine[index]
                while parent[f] != f:
                    f = parent[f]
                borders[f] |= 1 << mine[other]
        for f in waiting.pop(cell, ()):
            ends[f] -= 1
            if not ends[f]:
                closed.append(f)
        at[cell] = tile
        rows.append(tuple([mine[i] if i >= 0 else -1 for i in ports]))
        if first:
            first = False
        else:
            if supply[player]:
                free = []
                for f in mine:
                    while parent[f] != f:
                        f = parent[f]
                    if not men[f]:
                        free.append(f)
                if free:
                    pick = int(rnd() * (len(free) + 1))
                    if pick < len(free):
                        supply[player] -= 1
                        men[free[pick]] += 1 << 8 * player
            for f in mine:
                while parent[f] != f:
                    f = parent[f]
                if not ends[f] and kind[f] != FIELD and f not in closed:
                    closed.append(f)
            for f in closed:
                if men[f]:
                    a, b = men[f] & 255, men[f] >> 8
                    size = tiles[f].bit_count()
                    k = kind[f]
                    worth = size if k == ROAD else 2 * (size + shields[f]) if k == CITY else 9
                    if a >= b:
                        points[0] += worth
                    if b >= a:
                        points[1] += worth
                    supply[0] += a
                    supply[1] += b
                    men[f] = 0
            player = 1 - player
        while bag:
            index = int(rnd() * len(bag))
            piece = bag[index]
            bag[index] = bag[-1]
            bag.pop()
            counted = demand.translate(counts[piece])
            total = sum(counted)
            if total:
                break
        else:
            break
        pick = int(rnd() * total)
        place = 0
        for number in counted:
            if number:
                if pick < number:
                    break
                pick -= number
            place += 1
        cell = cells[place]
        o = which[piece][demand[place]][pick]
    for f, number in enumerate(men):
        if number and parent[f] == f:
            a, b = number & 255, number >> 8
            k, size = kind[f], tiles[f].bit_count()
            if k == ROAD:
                worth = size
            elif k == CITY:
                worth = size + shields[f]
            elif k == MONK:
                worth = 9 - ends[f]
            else:
                near = set()
                for c in range(borders[f].bit_length()):
                    if borders[f] >> c & 1:
                        while parent[c] != c:
                            c = parent[c]
                        near.add(c)
                worth = 3 * sum(not ends[c] for c in near)
            if a >= b:
                points[0] += worth
            if b >= a:
                points[1] += worth
    return points
