"""The commands at the table, printed on standard output: help, score, why, and others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tilewright.faces.cli.output import rows, say, width
from tilewright.faces.cli.play.session import Session, chooses_number, option_numbers, shown_number
from tilewright.faces.cli.views.match_log import Footnotes, beside, print_award, print_why_not
from tilewright.play.match import Match
from tilewright.play.notation import (
    numbered_option_text,
    option_texts,
    spot_text,
    stacks_in_play,
)
from tilewright.play.visibility import sees_stack
from tilewright.rules.model.ruleset import ItemDecl
from tilewright.view.match_phrases import kept_lines, token_label
from tilewright.view.places import called, figure_label, spot_label, stack_label

#: the words at the prompt; `play.command.` has what they do
COMMANDS = (
    "help", "options", "board", "preview", "figures", "score", "why", "why-not", "hint", "undo",
    "save", "quit",
)  # fmt: skip
_MAX_SHOWN = 60
#: more numbers than this are not listed one by one
_MAX_NUMBERS = 12
#: more pieces than this in an open stack are only counted
_MAX_NAMED = 6


def print_answer(session: Session, word: str, rest: str) -> None:
    """Carry out a command that only prints, or that prints what it did."""
    match word:
        case "help":
            say(session.words("play.type"))
            say(command_list(session))
        case "options":
            print_options(session, range(session.match.count))
        case "figures":
            _print_figures(session)
        case "score":
            _print_score(session)
        case "why":
            _print_why(session, everything=rest == "all")
        case "why-not" if rest:
            print_why_not(session.match, rest, "text", session.language, at_prompt=True)
        case "why-not":
            say(session.words("play.expected_text"))
        case "hint":
            from tilewright.tools.explanation.hints import best_options, reasons

            number = hinted(session.match)
            text = numbered_option_text(session.match, number)
            label = beside(session.match, text, number, session.language)
            say(f"  {shown_number(option_numbers(session.match), number)} {text}{label}")
            (best,) = best_options(session.match, session.language, 1)
            for reason in reasons(session.match, best, session.language):
                say(f"    {reason}")
        case "save":
            say(session.saved_to(rest))


def command_list(session: Session) -> str:
    """The words at the prompt, with what they do."""
    words = session.words
    return rows((name, words(f"play.command.{name.replace('-', '_')}")) for name in COMMANDS)


def hinted(match: Match) -> int:
    """The number of the option that the greedy bot would choose."""
    from tilewright.play.bots.base import greedy_bot

    return greedy_bot()(match)


def print_options(session: Session, numbers: Sequence[int]) -> None:
    """Print some options with their numbers from 1, in columns."""
    from rich.cells import cell_len
    from rich.text import Text

    texts = option_texts(session.match)
    own = option_numbers(session.match)
    if chooses_number(session.match) and len(numbers) == len(texts) > _MAX_NUMBERS:
        label = beside(session.match, texts[0], 0, session.language)
        least, most = texts[0], texts[len(own) - 1]
        say(f"  {session.words('play.numbers', first=least, last=most)}{label}")
        numbers = numbers[len(own) :]
    shown = [
        f"{shown_number(own, n):>3} {texts[n]}"
        f"{beside(session.match, texts[n], n, session.language)}"
        for n in numbers[:_MAX_SHOWN]
    ]
    widths = [cell_len(Text.from_ansi(text).plain) for text in shown]
    wide = max(widths, default=1) + 3
    columns = max(1, min(4, min(width(), 120) // wide))
    depth = -(-len(shown) // columns)
    padded = [text + " " * (wide - own) for text, own in zip(shown, widths, strict=True)]
    for row in range(depth):
        say("".join(padded[row::depth]).rstrip())
    if len(numbers) > _MAX_SHOWN:
        say(f"  {session.words('play.more_options', n=len(numbers) - _MAX_SHOWN)}")


def _print_figures(session: Session) -> None:
    match, language = session.match, session.language
    lines = [
        (figure_label(match, figure, language), spot_label(match, figure, language))
        for figure in range(len(match.spot))
        if spot_text(match, figure) != "home"
    ]
    lines += kept_lines(match, language)
    say(rows(lines) or f"  {session.words('match.all_home')}")


def _print_score(session: Session) -> None:
    match = session.match
    say(rows((session.name(p), str(match.points[p]), holdings(session, p)) for p in match.players))
    say(f"  {stacks_text(session)}")


def stacks_text(session: Session, *, with_empty: bool = True) -> str:
    """The stacks with the number of pieces in each, and a few that lie open by name."""
    match = session.match
    return "; ".join(
        _stack_text(session, stack)
        for stack in stacks_in_play(match)
        if with_empty or match.stacks[stack]
    )


def _stack_text(session: Session, stack: int) -> str:
    match, language = session.match, session.language
    held = match.stacks[stack]
    text = f"{stack_label(match, stack, language)}: {len(held)}"
    is_open = sees_stack(match, stack, None)
    if not (is_open and 0 < len(held) <= _MAX_NAMED):
        return text
    things = [match.program.game.stacked[each] for each in held]
    shown = [called(x.label if isinstance(x, ItemDecl) else None, x.id, language) for x in things]
    if not match.program.in_order[stack]:
        shown = [n if many == 1 else f"{many} × {n}" for n, many in Counter(shown).items()]
    return f"{text} ({', '.join(shown)})"


def holdings(session: Session, player: int) -> str:
    """The figures and tokens that a player has off the board."""
    match = session.match
    ready = (match.in_supply & match.of_player[player]).bit_count()
    held = [session.words.plural("match.in_supply", ready)]
    for token in range(len(match.program.game.tokens)):
        count = match.token_count(token, player)
        held += [f"{token_label(match, token, session.language)}: {count}"] if count else []
    return "; ".join(held)


def _print_why(session: Session, *, everything: bool) -> None:
    awards = [award for award in session.ledger.awards if not award.is_empty]
    awards = awards if everything else awards[-3:]
    if not awards:
        say(f"  {session.words('match.no_points')}")
    notes = Footnotes()
    for award in awards:
        print_award(session.match, award, session.language, notes)
    notes.print()
