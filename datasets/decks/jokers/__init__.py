"""Jokers that this project draws: plain ones, ones with a sign of their own, and ones of every style."""
