"""Events of many tables: seating, what is due next, standings. Pure functions over frozen values.

An event is a list of facts in the order they were told. A later fact about the same thing corrects an earlier one;
standings are computed from the facts each time and stored nowhere.
"""
