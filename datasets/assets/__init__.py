"""What cards are drawn from, by manifest: fonts and rendered decks, each with its hash and the tables it is for."""
