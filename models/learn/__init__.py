"""Learning the cards of a household: the last layers of the RoI head, fitted to tables drawn with their pictures."""
