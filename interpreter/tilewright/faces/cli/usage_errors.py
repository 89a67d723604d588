"""Messages of the library for arguments in the words of this program."""

from __future__ import annotations

import re


def _that_takes(error: Exception, value: str) -> str:
    """The option of the same command whose help lists a word of a value after a colon, or ""."""
    words = set(re.findall(r"[^\W\d]\w+", value))
    command = getattr(getattr(error, "ctx", None), "command", None)
    for other in getattr(command, "params", ()):
        listed = (getattr(other, "help", None) or "").partition(": ")[2].split(", ")
        if words & {each.partition(":")[0] for each in listed}:
            return str(max(other.opts, key=len))
    return ""


def usage_message(error: Exception, text: str) -> str:
    """The message of an error of the library for arguments; names the nearest right number."""
    param = getattr(error, "param", None)
    value = re.search(r": '?(-?[^' ]*)'? is not (?:a valid (?:int|float)|in the range)", text)
    if param is not None and value is not None:
        least, most = getattr(param.type, "min", None), getattr(param.type, "max", None)
        bounds = "" if least is None else f" from {least}" if most is None else ""
        bounds = f" from {least} to {most}" if most is not None else bounds
        name, kind = max(param.opts, key=len), "number" if "float" in text else "whole number"
        near = ""
        if "in the range" in text:
            is_low = least is not None and float(value[1]) < least
            near = f"; the nearest is {least if is_low else most}"
        elif other := _that_takes(error, value[1]):
            near = f"; did you mean `{other}`?"
        return f"`{name}` is a {kind}{bounds}, not `{value[1]}`{near}"
    option = getattr(error, "option_name", None)
    if option is not None and hasattr(error, "possibilities"):
        from tilewright.language.source.diagnostics import did_you_mean

        return f"unknown option `{option}`{did_you_mean(option, error.possibilities or ())}"
    text = text.replace("'", "`").replace(". Did you mean", "; did you mean")
    return text[:1].lower() + text[1:].rstrip(".")
