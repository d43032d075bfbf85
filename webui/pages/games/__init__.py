"""Pages about games: the list, a new game, one game, its log, first melds, export, statistics."""
