"""What is asked of every request before a page sees it, and of pages about who asks."""
