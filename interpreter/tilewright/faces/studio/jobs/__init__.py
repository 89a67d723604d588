"""Long work: a queue with one job at a time, the work itself, and the process that does it."""
