"""Witnesses as plain data and back again: what a program reads as JSON, and what a cache keeps."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from tilewright.model.witness import (
    Barred,
    Ending,
    Gain,
    Origin,
    Sort,
    Sought,
    Witness,
    Witnesses,
)


def witnesses_data(found: Witnesses) -> dict[str, Any]:
    """Witnesses as data that JSON can hold."""
    return {**asdict(found), "by_row": dict(found.by_row)}


def read_witnesses(data: dict[str, Any]) -> Witnesses:
    """Witnesses from such data. Raises KeyError, TypeError or ValueError for anything else."""
    return Witnesses(
        left=data["left"],
        right=data["right"],
        witnesses=tuple(map(_witness, data["witnesses"])),
        by_row=dict(data["by_row"]),
        without=tuple(data["without"]),
        sought=Sought(**data["sought"]),
    )


def _witness(data: dict[str, Any]) -> Witness:
    one, two = map(_ending, data["sides"])
    return Witness(
        **{
            **data,
            "rows": tuple(data["rows"]),
            "beside": tuple(data["beside"]),
            "sort": Sort(data["sort"]),
            "origin": Origin(data["origin"]),
            "games": tuple(data["games"]),
            "players": tuple(data["players"]),
            "board": tuple(data["board"]),
            "figures": _pairs(data["figures"]),
            "lines": tuple(data["lines"]),
            "sides": (one, two),
        }
    )


def _ending(data: dict[str, Any]) -> Ending:
    return Ending(
        **{
            **data,
            **{
                key: _pairs(data[key]) for key in ("points", "places", "tokens", "stacks", "values")
            },
            **{key: tuple(data[key]) for key in ("tiles", "offered", "winners")},
            "gains": tuple(
                Gain(**{**gain, "statements": tuple(gain["statements"])}) for gain in data["gains"]
            ),
            "barred": tuple(Barred(**barred) for barred in data["barred"]),
        }
    )


def _pairs(data: list[list[Any]]) -> tuple[Any, ...]:
    return tuple(map(tuple, data))
