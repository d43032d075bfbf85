"""Reads cards: from cameras and photos to cards and groups. Names cards and never scores them."""
