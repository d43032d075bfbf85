"""What happened in a game, in words: its audit log, and what a screen reads aloud."""
