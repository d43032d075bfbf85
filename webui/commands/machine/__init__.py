"""Parts of the command that checks this machine."""
