"""Crops of a picture, rectified for the small networks."""
