"""Trained networks to the weights that ship."""
