"""The content of a ruleset, as frozen data. It imports only `source`."""
