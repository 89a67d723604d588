"""Orders of whole numbers: what a sign such as `<` leaves open, turned round, and denied."""

from __future__ import annotations

from tilewright.language.typed_ast import ComparisonOperator as Sign

#: the sign that says the same with both sides exchanged
FLIPPED: dict[Sign, Sign] = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}
#: the sign that says the opposite
DENIED: dict[Sign, Sign] = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "!=": "="}

#: farther than any number of a rule
FAR = 10**13


def left_open(sign: Sign, number: int) -> tuple[int, int]:
    """The least and the greatest number that an order with this one leaves; `!=` leaves all."""
    match sign:
        case "<":
            return (-FAR, number - 1)
        case "<=":
            return (-FAR, number)
        case ">":
            return (number + 1, FAR)
        case ">=":
            return (number, FAR)
        case "=":
            return (number, number)
    return (-FAR, FAR)
