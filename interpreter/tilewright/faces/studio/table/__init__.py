"""The table: matches as trees of positions, what a page sees of them, and questions about them."""
