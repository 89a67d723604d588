"""`explain`: what a word means: a code, a term of the language, a key of a file, an id.

Everything comes from the tables that the checker uses itself, so that nothing can be out of date.
"""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.faces.cli.exit_codes import USAGE, Stop
from tilewright.faces.cli.output import bold, dim, fitting, heading, place, rows, say, wrapped
from tilewright.faces.cli.views.rule import span_of, things
from tilewright.language import builtins as p
from tilewright.language.source.catalogue import CodeInfo, codes, info_of
from tilewright.language.source.diagnostics import Reporter, did_you_mean
from tilewright.language.syntax.parse_table import grammar_text
from tilewright.rules.model import ruleset as m
from tilewright.rules.reading.library import Library, schemas_folder
from tilewright.tools.editor.describe import builtins, describe_verb
from tilewright.tools.reports.reference import file_keys, sentences
from tilewright.tools.reports.reference_texts import COMBINES, EFFECTS, OPERATORS, QUANTIFIERS
from tilewright.tools.workspace.loading import worded_statement


def print_code(info: CodeInfo) -> None:
    """Print a diagnostic code, with a failing example and the same example repaired."""
    say(f"{bold(f'{info.code} {info.name}')}  {info.title}")
    say()
    say(wrapped(info.explanation, 2))
    heading("reported")
    say(_indented(info.failing))
    heading("not reported")
    say(_indented(info.mended))


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.rstrip("\n").split("\n"))


def language_entries(word: str) -> Iterator[tuple[str, str]]:
    """The entries of the language for a word: its syntax and its meaning."""
    found = [(entry.head, entry.doc) for _, entry in builtins(word)] + [*_sentences(word)]
    yield from found or _verbs_with(word)
    if word in OPERATORS:
        yield OPERATORS[word]
    combines = {combine.value: meaning for combine, meaning in COMBINES.items()}
    if word in combines:
        yield f"combine: {word}", combines[word]


def _verbs_with(word: str) -> Iterator[tuple[str, str]]:
    """The verbs that are written with a word: `into`, `quietly`."""
    for verb in p.VERBS:
        if word in verb.spoken.split() or any(word == part for part, _, _ in verb.parts):
            entry = describe_verb(verb)
            yield entry.head, entry.doc


def ruleset_entries(word: str, library: Library) -> Iterator[tuple[str, str, str]]:
    """The entries of rulesets for a word: ruleset, kind, description."""
    quiet = Reporter.discarding()
    for id_ in library.ids():
        ruleset = library.load(id_, quiet)
        if ruleset is None:
            continue
        for name, thing in things(ruleset):
            if name == word:
                shown: object = thing
                if isinstance(thing, m.Statement):
                    shown = worded_statement(name, ruleset, library)
                yield id_, _what(shown), place(span_of(thing).file, span_of(thing).line)
        for kind, declared in (
            ("kind of feature", ruleset.features),
            ("symbol", ruleset.symbols),
            ("figure", ruleset.figures),
            ("role", ruleset.roles),
            ("stack", ruleset.stacks),
            ("token", ruleset.tokens),
            ("tile", ruleset.pieces),
            ("memory", ruleset.memory),
            ("event", ruleset.events),
            ("measure", ruleset.measures),
        ):
            for each in declared:
                if each.id == word:
                    yield id_, _declared(kind, each), place(each.span.file, each.span.line)
        for option in ruleset.module.options:
            if option.id == word:
                choices = " | ".join(option.choices)
                where = place(option.span.file, option.span.line)
                yield (
                    id_,
                    f"option {choices} (default {option.default}): {option.says.get()}",
                    where,
                )
        if id_ == word:
            yield id_, f"ruleset: {ruleset.module.title.get()}", place(ruleset.folder)


def _declared(kind: str, each: object) -> str:
    text = getattr(each, "label", getattr(each, "says", m.NO_LABEL)).get()
    if isinstance(each, m.Role):
        return f"{kind}: {text}, {' or '.join(each.figures)} on {each.on}"
    if isinstance(each, m.MemoryDecl):
        label = f"{text}; " if text else ""
        return f"{kind}: {label}{each.type}, kept for one {each.per}"
    if isinstance(each, m.PieceKind):
        return f"{kind}: {each.count} in the game"
    return f"{kind}: {text}" if text else kind


def _what(thing: object) -> str:
    from tilewright.faces.cli.views.game import body_of

    match thing:
        case m.Statement():
            return f"statement ({thing.authority.value}): {thing.says}"
        case m.Patch():
            return f"patch, {thing.verb} {thing.changes}: {thing.why}"
        case m.DefinitionDecl():
            return f"definition, {thing.type}, combine: {thing.combine.value}: {thing.says.get()}"
        case m.ValueDecl():
            return f"value {thing.value}: {thing.says}"
        case m.StepDecl():
            return f"step of the {thing.phase}: {thing.label.get()}"
        case _ if isinstance(thing, m.Rule):
            return f"rule, {body_of(thing)}"
    return ""


#: the command that shows more of a thing, by its kind
_MORE = (
    (
        ("rule,", "definition", "value", "step of", "patch"),
        "`tilewright show rule {}` shows it whole",
    ),
    (("statement",), "`tilewright trace {}` lists its rules and scenarios"),
    (("ruleset",), "`tilewright show ruleset {}` shows it on a page"),
    (("tile:",), "`tilewright show tile {}` draws it"),
)
#: words that begin an effect and go by another name in the grammar
_WRITTEN = {
    "set": "assign", "end": "end_game", "may": "choose", "as": "choose", "then": "if", "else": "if",
    "game": "end_game",
}  # fmt: skip


def _sentences(word: str) -> Iterator[tuple[str, str]]:
    rule = _WRITTEN.get(word, word)
    if rule in EFFECTS:
        example = next(text for name, text in sentences(grammar_text()) if name == rule)
        yield example, EFFECTS[rule]
    if word in QUANTIFIERS:
        yield f"{word} x in SET: ...", QUANTIFIERS[word]


def known_words(library: Library) -> set[str]:
    """Every word that can be explained."""
    found = {*codes(), *p.GLOBAL, *p.FUNCTION, *p.VERB, *COMBINES, *library.ids(), *p.RESERVED}
    found |= {info.name for info in codes().values()}
    found |= {key.path.removesuffix("[]").split(".")[-1] for key in file_keys()} - {"*"}
    found |= {a.name for a in p.ATTRIBUTES} | {f"{a.owner}.{a.name}" for a in p.ATTRIBUTES}
    quiet = Reporter.discarding()
    for id_ in library.ids():
        ruleset = library.load(id_, quiet)
        if ruleset is not None:
            found |= {name for name, _ in things(ruleset)}
            for declared in (ruleset.features, ruleset.symbols, ruleset.figures, ruleset.roles):
                found |= {each.id for each in declared}
    return found


def explain(word: str, library: Library) -> None:
    """Print every meaning of a word; raises `Stop` with the nearest words for an unknown one."""
    info = info_of(word)
    if info:
        print_code(info)
        return
    entries = list(language_entries(word))
    if entries:
        say(bold(f"{word}  in the language of the rules"))
        for text, doc in entries:
            say(f"  {text}")
            say(wrapped(doc, 4))
    keys = file_keys(word)
    if keys:
        if entries:
            say()
        say(bold(f"{word}  in the files of a ruleset"))
        for key in keys:
            shape = key.shape.replace("`", "")
            say(fitting(f"  {key.file}: {key.path}", dim(f"  {shape}")))
            say(wrapped(key.says, 4))
        say()
        say("docs/reference/format.md has all keys; the schemas for editors are in")
        say(f"{schemas_folder()}")
    found = list(ruleset_entries(word, library))
    if found:
        if entries or keys:
            say()
        say(bold(f"{word}  in the rulesets"))
        for id_, what, where in found:
            say(rows([(id_, what)]))
            say(dim(f"    {where}"))
        advice = dict.fromkeys(
            line.format(word)
            for what, line in _MORE
            if any(w.startswith(what) for _, w, _ in found)
        )
        if advice:
            say("\n" + "\n".join(advice))
    if not entries and not keys and not found:
        near = did_you_mean(word, known_words(library))
        hint = "" if near else "codes look like TW301 or unknown-name; rules have ids"
        raise Stop(USAGE, f"unknown code, word, key or id `{word}`{near}", hint)
