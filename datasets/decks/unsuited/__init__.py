"""Decks without suits, and of the game Hand 'n Foot, drawn with art of this project's own."""
