"""Photos read: the reader, the queue of photos, what is done with each."""
