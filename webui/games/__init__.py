"""Whole games as values: their course, statistics, plots, exports and the log in words. No pixels, no requests."""
