"""Reading: cards of the library, books with their scenarios, comparisons and histories."""
