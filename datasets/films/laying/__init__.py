"""Short films of hands that lay or deal a few cards."""
