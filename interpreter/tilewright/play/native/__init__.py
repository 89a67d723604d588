"""The door to the native core: which engine plays, its games, and the searches of its bots."""
