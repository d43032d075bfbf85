"""What the indices of a household's cards look like, as agreed rounds tell it."""
