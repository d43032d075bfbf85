"""What every page works with."""
