"""Pages about the program itself: backups, house rules, health, problem reports."""
