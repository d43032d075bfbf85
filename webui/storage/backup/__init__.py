"""Backups, export and import, and how long photos are kept."""
