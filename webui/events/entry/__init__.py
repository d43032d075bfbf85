"""How an event begins: the ways to play that are offered, and forms with teams and people."""
