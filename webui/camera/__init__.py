"""The table camera on the page."""
