"""Rounds as films show them, as data: who lays what where and when."""
