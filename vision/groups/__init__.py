"""Cards to melds, piles and hands, and to a draft of the round sheet."""
