"""Network cameras over HTTP: what an address gives, its answers, and the pictures in them."""
