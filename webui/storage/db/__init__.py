"""The database: opening, tables, the audit log."""
