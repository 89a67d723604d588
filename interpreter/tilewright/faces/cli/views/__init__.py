"""The output of the commands: one module for each page."""
