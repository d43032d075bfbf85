"""What all pages share: services, request guard, lookups, visitor, invitation, photo submission, error pages."""
