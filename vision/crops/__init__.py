"""Pieces of a picture, cut upright for the small networks."""
