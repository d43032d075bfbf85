"""The database: opening and migrating it, its tables, sessions, and the audit log."""
