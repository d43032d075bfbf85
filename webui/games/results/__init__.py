"""The results of agreed rounds, kept so that no sheet is scored twice."""
