"""Decks of cards as pictures: rendered from packages or drawn here."""
