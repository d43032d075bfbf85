"""Who may use the page: access code, network addresses, quotas of a client."""
