"""Players over a season, in a real browser."""
