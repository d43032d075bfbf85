"""Trainings of each network around one training loop."""
