"""Match files: a match written as text, read back and played again: `match_file`, `carried`."""
