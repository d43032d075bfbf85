"""Taught decks: a household's own cards, with pictures of their faces and what was learnt of them. No Flask."""
