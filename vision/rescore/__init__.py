"""Detections weighed against each other: which are indices, which show the same one, what rank each has."""
