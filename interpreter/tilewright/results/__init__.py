"""What tools find out, as frozen data that `render` shows. It imports `model` only."""
