"""What reaches people in their language: the choice of it, and the sentences of scripts."""
