"""Pages about devices: letting them in, screens that follow, how a device shows things."""
