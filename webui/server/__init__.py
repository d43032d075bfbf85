"""The process around the app: HTTP server, request log, health, shutdown, systemd."""
