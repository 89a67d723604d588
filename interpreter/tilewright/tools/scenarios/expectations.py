"""Compares a match with what a scenario expects of it: points, places, options, refusals.

Each difference is reported at its own key, and nothing is skipped after one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tilewright.language.source.diagnostics import Reporter
from tilewright.play.match import Match
from tilewright.play.notation import option_texts, seat_name, seat_number
from tilewright.rules.model.ruleset import Expectation
from tilewright.tools.explanation.legality import why_not
from tilewright.tools.explanation.score_log import Ledger
from tilewright.tools.scenarios.expressions import evaluated_text
from tilewright.tools.scenarios.memory import remembered
from tilewright.tools.scenarios.setup import token_slot, where_is

#: reports a difference: the key of the expectation, in words what is expected, both values
Wrong = Callable[[str, str, object, object], None]


class Expectations:
    """Checks the expectations of one scenario, one after the other."""

    def __init__(self, ledger: Ledger, reporter: Reporter) -> None:
        self.ledger = ledger
        self.reporter = reporter
        self.seen = 0  # awards already looked at
        self.refusing: set[str] = set()  # the rules that refused what was expected to be refused

    def check(self, match: Match, expect: Expectation) -> None:
        """Report each part of an expectation that does not hold now."""

        def wrong(key: str, what: str, wanted: object, found: object) -> None:
            message = f"expected {what} {wanted}, found {found}"
            self.reporter.error("TW802", message, expect.place(key))

        for name, points in expect.points:
            number = seat_number(match, name)
            found = "unknown player" if number is None else match.points[number]
            if found != points:
                wrong(f"points {name}", f"{name}'s points to be", points, found)
        if expect.gained:
            self._expect_gained(match, expect, wrong)
        for name, place in expect.figures:
            spots = where_is(match, name)
            if not any(_same_place(spot, place) for spot in spots):
                shown = " or ".join(sorted(set(spots))) or "unknown figure"
                wrong(f"figures {name}", f"{name} at", place, shown)
        for name, count in expect.supply:
            spots = where_is(match, name)
            home = sum(spot == "home" for spot in spots)
            if home != count:
                shown = str(home) if spots else "unknown figure"
                wrong(f"supply {name}", f"{name} in the supply:", count, shown)
        for name, count in expect.tokens:
            slot = token_slot(match, name)
            held = "unknown token" if slot is None else match.tokens[slot[1]]
            if held != count:
                wrong(f"tokens {name}", f"tokens of {name}:", count, held)
        for name, count in expect.stacks:
            index = match.program.stack_number.get(name)
            size = "unknown stack" if index is None else len(match.stacks[index])
            if size != count:
                wrong(f"stacks {name}", f"pieces in {name}:", count, size)
        if expect.tiles is not None and len(match.board.tile_at) != expect.tiles:
            wrong("tiles", "tiles on the board:", expect.tiles, len(match.board.tile_at))
        for name, value in expect.memory:
            held = remembered(match, name)
            if held != value:
                wrong(f"memory {name}", f"`{name}` to be", value, held)
        for text, value in expect.values:
            mine = Reporter()
            text_found = evaluated_text(match, text, mine)
            if text_found is None:
                text_found = "; ".join(d.message for d in mine.diagnostics)
            if text_found != value:
                wrong(f"values {text}", f"`{text}` to be", value, text_found)
        self._expect_decision(match, expect, wrong)

    def _expect_decision(self, match: Match, expect: Expectation, differs: Wrong) -> None:
        who = seat_name(match, match.to_move) if match.to_move >= 0 else "nobody"
        if expect.decides is not None and expect.decides != who:
            differs("decides", "the decision to be for", expect.decides, who)
        if expect.step is not None and expect.step != match.step:
            differs("step", "the step", expect.step, match.step or "none")
        offered = option_texts(match)
        if expect.options is not None and sorted(expect.options) != sorted(offered):
            extra = sorted(set(offered) - set(expect.options))
            missing = sorted(set(expect.options) - set(offered))
            parts = [f"missing `{m}`" for m in missing] + [f"also `{e}`" for e in extra]
            differs(
                "options", "exactly these options:", ", ".join(expect.options), "; ".join(parts)
            )
        for option in expect.offered:
            if option not in offered:
                shown = ", ".join(offered[:12]) or "none"
                differs("offered", "among the options", f"`{option}`", shown)
        self._expect_refused(match, expect, offered, differs)
        if expect.over is not None and expect.over != match.is_over:
            state = "over" if expect.over else "going on"
            differs("over", "the game to be", state, "the opposite")
        if expect.winners is not None:
            winners = tuple(seat_name(match, p) for p in match.winners())
            found = ", ".join(winners) if match.is_over else "a game that goes on"
            if not match.is_over or winners != expect.winners:
                differs("winners", "the winners", ", ".join(expect.winners), found)

    def _expect_refused(
        self, match: Match, expect: Expectation, offered: Sequence[str], differs: Wrong
    ) -> None:
        for option, rule in expect.refused:
            key = f"refused {option}"
            if option in offered:
                differs(key, "to be refused:", f"`{option}`", "that it is offered")
                continue
            reasons = why_not(match, option)
            if all(reason.is_idle for reason in reasons):
                message = f"this decision could not offer `{option}`: "
                message += "; ".join(reason.sentence for reason in reasons)
                hint = "expect it where it could be chosen, or expect exactly these `options`"
                self.reporter.warning("TW616", message, expect.place(key), hint=hint)
            elif rule and rule not in (reason.rule for reason in reasons):
                found = ", ".join(reason.rule for reason in reasons if reason.rule) or "no rule"
                differs(f"{key} {rule}", f"`{option}` to be refused by", rule, found)
            self.refusing |= {reason.rule for reason in reasons}

    def _expect_gained(self, match: Match, expect: Expectation, wrong: Wrong) -> None:
        recent = self.ledger.awards[self.seen :]
        self.seen = len(self.ledger.awards)
        for name, wanted in expect.gained:
            number = seat_number(match, name)
            gained = "; ".join(a.text() for a in recent if a.player == number) or "nothing"
            gained = gained if number is not None else "unknown player"
            if " ".join(wanted.split()) != gained:
                wrong(f"gained {name}", f"{name} to gain", wanted, gained)


def _same_place(found: str, wanted: str) -> bool:
    """`0,0` also matches `0,0 facing N`: unspecified parts are not compared."""
    return found == wanted or found.startswith(wanted + " ")
