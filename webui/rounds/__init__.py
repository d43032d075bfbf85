"""One round as pages show it: cards, sheet and tally, the steps that are left, and its agreement. No Flask."""
