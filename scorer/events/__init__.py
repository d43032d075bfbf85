"""Events with several tables: seating, next steps and standings, as pure functions over frozen values.

An event is a list of facts in the order they were recorded. A later fact about the same thing corrects the earlier one;
standings are always computed from the facts, never stored.
"""
