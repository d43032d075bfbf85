"""Pages about a round: its steps, a side's cards, corrections, undo."""
