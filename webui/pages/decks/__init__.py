"""Pages about decks: the list of those that can be read or taught."""
