"""Reading photos: the reader as a service, the photo queue and its jobs, zones of the table."""
