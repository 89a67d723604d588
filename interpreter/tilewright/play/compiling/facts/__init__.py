"""Facts about rules that are known before play: bounds of cost and numbers, what a rule reads."""
