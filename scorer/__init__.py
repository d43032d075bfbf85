"""The scoring engine: cards, decks, rule sets, round sheets, scores and events. No pixels, no web, no database."""
