"""What is done with an event: draws, decisions, what happens in the hall, and Undo."""
