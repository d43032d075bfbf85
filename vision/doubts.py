"""Doubt codes: why a person should look at a card."""

from __future__ import annotations

BY_RULES = "decided-by-rules"
TOO_MANY = "too-many-copies"

OVERLOOKED = "perhaps-another"
"""The doubt of a card beside which another may lie that was not read."""
