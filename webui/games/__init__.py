"""Whole games as values: progress, statistics, plots, exports, and the change log in words. No pixels, no requests."""
