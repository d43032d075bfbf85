"""What pages show of an event: its tables, where people go next, corrections, history, files."""
