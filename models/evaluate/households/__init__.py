"""Households that play with one deck week after week: what the reader asks them, round after round."""
