"""The words of pages in the languages that labels come in."""
