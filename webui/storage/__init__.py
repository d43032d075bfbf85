"""Games, photos, readings, corrections and agreed sheets, on disk or in PostgreSQL. Points are never stored."""
