"""Pages about devices: logging in, screens that follow a game, how a device shows the pages."""
