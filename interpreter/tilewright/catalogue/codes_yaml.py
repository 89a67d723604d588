"""TW1: the form of a file, before anyone asks what it says.

Examples use made-up names. What is refused here is refused because it reads as one thing and means
another, or because a stranger's file must be answered fast.
"""

from __future__ import annotations

from tilewright.catalogue.code_info import CodeInfo

CODES: tuple[CodeInfo, ...] = (
    CodeInfo(
        "TW101",
        "not YAML",
        "The file breaks the rules of YAML, so nothing after this place can be trusted. The usual "
        "causes are a line that is indented by a space too many or too few, a quote or bracket "
        "that is never closed, and plain text that holds `: ` or ` #`, or begins with `[`, `{`, "
        "`@` or a backtick. Text with such marks goes between quotes.",
        "title: north\nsays: the rule: in short\n",
        'title: north\nsays: "the rule: in short"\n',
    ),
    CodeInfo(
        "TW102",
        "a key given twice",
        "One map gives the same key twice. Many readers keep the last value and forget the first "
        "without a word; here both places are shown, and one of them has to go or to change its "
        "name.",
        "count: 3\nlabel: small\ncount: 4\n",
        "count: 4\nlabel: small\n",
    ),
    CodeInfo(
        "TW103",
        "an anchor",
        "A name after `&` marks a value for use elsewhere. Rulesets do not use anchors: a reader "
        "should see what a rule says in the place where it stands. Write the value out, or give "
        "it a name under `values`. Text that begins with `&` goes between quotes.",
        "first: &size 3\nsecond: 3\n",
        "first: 3\nsecond: 3\n",
    ),
    CodeInfo(
        "TW104",
        "an alias",
        "A name after `*` stands for a value marked elsewhere. Rulesets do not use aliases; a few "
        "lines of them can also unfold into more data than a machine holds. Write the value out. "
        "Text that begins with `*` goes between quotes.",
        "first: 3\nsecond: *size\n",
        "first: 3\nsecond: 3\n",
    ),
    CodeInfo(
        "TW105",
        "a tag",
        "A word after `!` tells YAML to turn a value into something else. Rulesets hold text, "
        "lists and maps only, so no tag is allowed, not even a harmless one. To keep a number or "
        "`true` as text, put it between quotes. Text that begins with `!` goes between quotes too.",
        "count: !!str 3\n",
        'count: "3"\n',
    ),
    CodeInfo(
        "TW106",
        "nested too deep",
        "Lists and maps stand inside each other more than 24 deep. No file of a ruleset needs a "
        "quarter of that, so this is a slip of brackets or a file made to cause harm.",
        "a: " + "[" * 24 + "x" + "]" * 24 + "\n",
        "a: [[x]]\n",
    ),
    CodeInfo(
        "TW107",
        "a file too large",
        "The file is larger than 1 MiB and was not read. Rules can be spread over as many files "
        "in `rules/` as one likes, scenarios over files in `scenarios/`.",
        "# one file with more than 1048576 bytes\n",
        "# several smaller files in the same folder\n",
        is_runnable=False,
    ),
    CodeInfo(
        "TW108",
        "several documents in one file",
        "A line `---` begins a second document. A file of a ruleset is one document; what follows "
        "the line was not read. Give it a file of its own.",
        "count: 3\n---\ncount: 4\n",
        "count: 3\n",
    ),
    CodeInfo(
        "TW109",
        "not plain UTF-8 text",
        "The file holds bytes that are not UTF-8, or a character that is not seen: a control "
        "character, an unusual line separator, or one written with an escape such as `\\x1b` or "
        "`\\0`. Such characters can hide what a file says. Save the file as UTF-8 and remove the "
        "character.",
        'label: "a\\x07b"\n',
        'label: "ab"\n',
    ),
    CodeInfo(
        "TW110",
        "a tab in the indentation",
        "YAML indents by spaces; a tab has no agreed width. Replace it by spaces, two for each "
        "level. Tabs inside a line do no harm.",
        "first:\n\tsecond: 3\n",
        "first:\n  second: 3\n",
    ),
    CodeInfo(
        "TW111",
        "an empty file",
        "The file holds nothing, or comments only. Fill it, or remove it: every file but "
        "`module.yaml` may be left out.",
        "# to be written\n",
        "count: 3\n",
    ),
    CodeInfo(
        "TW112",
        "a text too long",
        "A single text is longer than 65536 characters. Split a long effect into procedures, and "
        "a long explanation into statements.",
        "says: # followed by more than 65536 characters\n",
        "says: a sentence\n",
        is_runnable=False,
    ),
    CodeInfo(
        "TW113",
        "a merge key",
        "The key `<<` copies the entries of another map. It is no part of today's YAML, and "
        "rulesets do not use it: a reader should see what a map says in the place where it "
        "stands. Write the entries out.",
        "<<: {count: 3}\nlabel: small\n",
        "count: 3\nlabel: small\n",
    ),
    CodeInfo(
        "TW114",
        "a file that cannot be read",
        "The file is not there, is no ordinary file, or the system does not let it be read. Check "
        "the spelling of the path and the permissions.",
        "# a file that is missing\n",
        "count: 3\n",
        is_runnable=False,
    ),
    CodeInfo(
        "TW115",
        "a key that is not a word",
        "A key is one word or a short text on its line. Here a list, a map, a block of text or "
        "nothing at all stands in its place. Text that begins with `[` or `{` goes between quotes.",
        "[a, b]: 3\n",
        '"[a, b]": 3\n',
    ),
    CodeInfo(
        "TW116",
        "more than is read",
        "The file holds more than 50000 values, keys, lists and maps, or the ruleset more than "
        "500 rules, 50 of them that answer one question or stand at one place, 300 files, 100 "
        "patches, 50 options, 1000 statements or scenarios, or 300 of any other sort, or more than "
        "1024 KiB of text, 128 of them rules and 64 module.yaml, or a cell more than 32 segments, "
        "or its options and its company make more games than are looked at, 100 at most: spread "
        "it over several files, or several rulesets. Or there are "
        "more than 200 complaints: mend those first.",
        "# one file with more than 50000 values\n",
        "# several smaller files in the same folder\n",
        is_runnable=False,
    ),
)
