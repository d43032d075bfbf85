"""The recipe: all trainings from the decks to the weights, as stages that can be stopped, continued and repeated."""
