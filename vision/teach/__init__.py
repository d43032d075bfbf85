"""The eyes of teaching: from photos of a deck's cards laid out in rows to pictures of its faces, and what they match."""
