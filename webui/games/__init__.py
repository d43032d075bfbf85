"""Whole games as values: their progress, statistics, plots, exports and the log in words. No pixels, no requests."""
