"""A game in a browser from the first page to the statistics."""
