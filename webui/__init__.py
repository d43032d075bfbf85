"""The web interface and the command line: where camera, reader, rules and storage are put together."""
