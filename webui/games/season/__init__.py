"""Each person's own totals over many games, and who should play together next."""
