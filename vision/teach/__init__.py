"""The eyes of teaching: from photos of a deck's cards in rows to pictures of its faces, and what these match."""
