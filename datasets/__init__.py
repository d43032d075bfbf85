"""Synthetic decks, card tables and films with exact ground truth, for training and testing."""
