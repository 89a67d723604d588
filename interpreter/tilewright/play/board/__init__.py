"""The board: laid tiles, the features that they make, how both change, and where pieces fit."""
