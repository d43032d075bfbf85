"""Events of many tables: what is stored about them, each change as a fact that stays."""
