"""From readings and a person's corrections to one side's cards, and from those to a round sheet. Pure functions."""
