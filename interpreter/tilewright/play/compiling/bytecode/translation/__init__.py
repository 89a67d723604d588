"""Writes functions of the intermediate form as instructions, node by node."""
