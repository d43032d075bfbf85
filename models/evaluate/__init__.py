"""Evaluation of the whole reader, on photos and on drawn tables and films."""
