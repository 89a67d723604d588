"""The results of tools, as frozen data that `render` shows. It imports `model` only."""
