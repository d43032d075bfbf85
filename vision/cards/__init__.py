"""Index readings to cards: one reading an index, which indices stand on one card, which cards cannot both be there."""
