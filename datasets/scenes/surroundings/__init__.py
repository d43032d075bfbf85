"""What lies on a table or under the cards: surfaces, objects, printed things."""
