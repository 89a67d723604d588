"""The run-time library: the functions that compiled rules call."""
