"""Events of many tables as the page runs them: facts and agreed rounds in, draws, standings and next steps out."""
