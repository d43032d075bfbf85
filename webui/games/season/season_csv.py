"""The season as a table for spreadsheets."""

from __future__ import annotations

import csv
import io

from webui.games.score_pad import plain
from webui.games.season.round_words import heading, round_word
from webui.games.season.totals import Season
from webui.wording import games_text


def season_csv(season: Season, order: str = "points") -> str:
    """One line for each person and set of rules, in the order of the ranking.

    Args:
        season: the totals.
        order: by what people are ranked, one of ``ORDERS``.
    """
    text = io.StringIO()
    table = csv.writer(text)
    word = round_word(rules.in_hands for rules in season.rule_sets)
    table.writerow(
        heading(key, word)
        for key in (
            *("since", "until", "rules", "place", "player", "games", "finished", "won", "unfinished", "rounds"),
            *("points", "average of a finished game", "average round", "best round", "game of the best round"),
            "partners",
        )
    )
    since, until = (day.isoformat() if day else "" for day in (season.span.since, season.span.until))
    for rules in season.rule_sets:
        for standing in rules.ranking(order):
            person, best = standing.person, standing.person.best_round
            partners = (f"{one.name} ({games_text(one.games)})" for one in person.most_together)
            table.writerow(
                [
                    *(since, until, rules.id, standing.place or "", plain(person.name)),
                    *(person.games, person.finished, person.won, person.open, person.rounds, person.points),
                    "" if person.game_average is None else person.game_average,
                    person.round_average,
                    *((best.value, best.game_id) if best else ("", "")),
                    plain("; ".join(partners)),
                ]
            )
    return text.getvalue()
