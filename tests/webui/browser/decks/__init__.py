"""Decks of one's own in a browser: taught, read and learned."""
