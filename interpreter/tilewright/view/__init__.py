"""From results and matches to what people read: pages, boards, sentences. It decides nothing.

In: `results` (what the tools find out, as frozen data) and matches. Out: a page as blocks
(`page/blocks.py`) and its texts in Markdown and HTML; boards and tiles as text, SVG and PNG;
choices and rules in words.

- `results`: the results of tools; they are below all else here, and hold no words of a language
- `page`: the blocks of a page and their writers; the terminal's own is in `faces/cli/views/page.py`
- `comparison`: what is composed of results, once for all forms
- `board`: where everything is on a tile and on a board, and how it is drawn

Begin with `page/blocks.py`, `comparison/compose.py` and `board/scene.py`.
"""
