"""The season as a table for spreadsheets."""

from __future__ import annotations

from webui.games.csv_lines import Lines, as_csv
from webui.games.season.round_words import round_word
from webui.games.season.totals import Season
from webui.wording import games_text


def season_csv(season: Season, order: str = "points") -> str:
    """One line for each person and set of rules, in the order of the ranking.

    Args:
        season: the totals.
        order: by what people are ranked, one of ``ORDERS``.
    """
    lines, span = Lines(), season.span
    for rules in season.rule_sets:
        for standing in rules.ranking(order):
            person, best = standing.person, standing.person.best_round
            lines.append(
                {
                    "since": span.since,
                    "until": span.until,
                    "rules": rules.id,
                    "place": standing.place,
                    "player": person.name,
                    "games": person.games,
                    "finished": person.finished,
                    "won": person.won,
                    "unfinished": person.open,
                    "rounds": person.rounds,
                    "points": person.points,
                    "average of a finished game": person.game_average,
                    "average round": person.round_average,
                    "best round": best and best.value,
                    "game of the best round": best and best.game_id,
                    "partners": "; ".join(f"{one.name} ({games_text(one.games)})" for one in person.most_together),
                }
            )
    return as_csv(lines, round_word(rules.in_hands for rules in season.rule_sets))
