"""Pure functions from readings and a person's corrections to a side's cards, and from those to a round sheet."""
