"""The game: faces, decks, rule sets, round sheets and their score. No pixels, no web, no database."""
