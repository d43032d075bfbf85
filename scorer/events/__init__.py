"""Events with several tables: seating, next steps and standings, as pure functions of an event as it stands."""
