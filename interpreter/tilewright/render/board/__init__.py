"""Tiles and boards as pictures: `scene` says what lies where, `svg` and `text` draw it."""
