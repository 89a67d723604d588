"""A match in the terminal: on a screen that is drawn in place, or line by line."""
