"""Commands about cards: reading photos and films, and decks."""
