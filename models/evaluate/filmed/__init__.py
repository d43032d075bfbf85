"""Evaluations on drawn films."""
