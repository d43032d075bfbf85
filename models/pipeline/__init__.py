"""Recipes: all trainings, from decks and fonts to the folder of weights."""
