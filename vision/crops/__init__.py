"""Crops of a picture, rectified."""
