"""The page and the command line: the only place where eyes, deck and rules are put together."""
