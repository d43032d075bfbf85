"""Explains a reading: what every stage said of each card."""
