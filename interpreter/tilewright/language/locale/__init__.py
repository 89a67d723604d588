"""The words of the program in the languages of its pages: one gettext catalogue for each language.

`LANGUAGE.po` lies in this folder, or in the folder that `TILEWRIGHT_LOCALE` names; no other file
belongs to a language. Catalogues are read as they are, so a change is seen at once, in every
installation. `words.py` has the texts, `choice.py` decides which language is used.

Texts have ids (`match.gains`), and `en.po` has the English ones, for three reasons: data choose
many of them (`comparison.state.` and the state of a row), programs in other languages than Python
share them, and `{a} of {b}` is one text in English but several elsewhere. Above each text a
catalogue repeats the English one, so a translation of an older text is noticed (`.ci/words.py`).
The names of things are in rulesets, not here.
"""
