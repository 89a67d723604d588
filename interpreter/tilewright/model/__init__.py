"""What a ruleset says, as frozen data. It imports nothing but `source`."""
