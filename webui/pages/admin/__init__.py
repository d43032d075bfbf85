"""Pages about the installation: backups, house rules, health, problem reports."""
