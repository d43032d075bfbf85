"""Pages about a round."""
