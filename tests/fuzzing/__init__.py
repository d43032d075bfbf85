"""Fuzzing: random sheets, rule files, photos and requests."""
