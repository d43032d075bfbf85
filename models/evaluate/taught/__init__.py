"""Decks that are taught from photographs: how well they are read afterwards."""
