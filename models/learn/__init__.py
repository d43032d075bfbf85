"""Learning the cards of a household: the RoI head goes on learning on tables drawn with the pictures of its decks."""
