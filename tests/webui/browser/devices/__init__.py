"""Cameras, other devices and lost connections in a browser."""
