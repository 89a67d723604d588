"""Comments in effects whose lines YAML joins: they would not end with their line."""

from __future__ import annotations

from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.yaml.nodes import YText


def report_comment(key: str, text: YText, reporter: Reporter) -> bool:
    """Report the first comment in an effect or expression that is not a block after `|`.

    Returns whether there was one. An expression that is only a comment is missing, which is an
    error of its own.
    """
    if text.style == "|" or "#" not in text.value:
        return False
    from tilewright.language.syntax.cst import remarks  # slow, and few texts need it

    code = text.code()
    for remark in remarks(code.text)[:1]:
        before = code.text[: remark.start].split("\n")
        if key != "do" and not "".join(before).strip():
            return False
        line, column = len(before), len(before[-1]) + 1
        message = f"`#` makes the rest of `{key}` a comment"
        hint = f"write `{key}: |` and the effect on the lines below, or leave the comment out"
        reporter.error("TW414", message, code.span(line, column, line, column + 1), hint=hint)
        return True
    return False
