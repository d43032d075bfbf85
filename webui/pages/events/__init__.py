"""Pages of events with many tables: for who runs one, for its tables, for everybody."""
