"""Pages about photos and the table camera."""
