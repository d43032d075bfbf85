"""Tests of a season: totals over many games, and who plays next."""
