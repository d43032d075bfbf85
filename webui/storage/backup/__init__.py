"""Backups, export, restore and import of all games, and the retention of photos."""
