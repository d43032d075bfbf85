"""What is drawn over a photo: outlines of cards, and tags that name cards and groups without hiding an index."""
