"""Damaged files of the data folder: each is replaced or told in a sentence, and no page fails."""
