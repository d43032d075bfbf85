"""Scoring: a round sheet and a rule set in, points line by line and rule violations out."""

from scorer.scoring.points import score

__all__ = ["score"]
