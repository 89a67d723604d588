"""Pictures of tiles and boards: `scene` is the data, `svg` and `text` draw it."""
