"""Pictures of card tables: where the cards lie, what else lies there, light and camera."""
