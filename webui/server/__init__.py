"""The process: its HTTP server, its logs, its end."""
