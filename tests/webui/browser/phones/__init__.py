"""Phones that use their own camera, for a photo or as the table camera."""
