"""What people type of a side: its cards, or its points and books that they counted themselves."""
