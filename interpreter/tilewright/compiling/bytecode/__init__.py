"""What the native core needs of a compiled game, as rows of numbers."""
