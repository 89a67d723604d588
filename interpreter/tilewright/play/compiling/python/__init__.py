"""Writes the intermediate form as Python, whose code objects the Python engine runs."""
