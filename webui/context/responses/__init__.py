"""What is sent out: pictures of photos, static files, long answers, and the pages that wait for photos."""
