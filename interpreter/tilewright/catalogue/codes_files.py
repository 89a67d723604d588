"""Complaints about laying files out anew."""

from __future__ import annotations

from tilewright.catalogue.code_info import CodeInfo

CODES: tuple[CodeInfo, ...] = (
    CodeInfo(
        "TW940",
        "this is no file of a ruleset",
        "A file is laid out by what its schema says of it, and nothing tells which schema that is:"
        " not its first line, not its name or folder, and not its keys. Name the schema in the"
        " first line, or put the file where a ruleset has it.",
        "colours: [red, blue]",
        "# yaml-language-server: $schema=../schemas/module.schema.json\nid: house/colours",
        False,
    ),
    CodeInfo(
        "TW941",
        "the canonical form would say something else",
        "Before a form is given, it is read again and compared with what the author wrote: every"
        " text, every effect and every comment. Here they differ. Either the form would be longer"
        " than a text or a file may be, or it is a fault of the program and not of the file. The"
        " file was left as it is.",
        "a file that cannot be laid out without a change of what it says",
        "the same file as its author wrote it",
        False,
    ),
    CodeInfo(
        "TW942",
        "the file cannot be written",
        "The system refuses to write the canonical form: the folder or the file is protected, or"
        " there is no room. The file is as it was.",
        "tilewright fmt a-folder-that-nobody-may-write-in",
        "tilewright fmt --diff a-folder-that-nobody-may-write-in",
        False,
    ),
)
