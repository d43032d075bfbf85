"""The table that is watched while a round is played: what was laid is remembered, shown, and counted at its end."""
