"""From cards to melds, piles and hands: grouping, corrections by the rules, merging of photos, the draft of a table."""
