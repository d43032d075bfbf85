"""What is told of rules that one chooses from."""

from __future__ import annotations

from scorer.rules import load_rules
from webui.games.new_game import player_counts
from webui.games.rule_choice import book_worth, for_whom, in_brief, offered_rules


def test_rules_are_told_in_brief() -> None:
    golden = load_rules("golden-games")
    assert (for_whom(golden), book_worth(golden)) == ("4 players", "books 700 and 300")
    assert in_brief(golden, 4) == "4 players, 5 packs of cards; a clean book is worth 700, a dirty one 300."
    many = next(rules for rules in offered_rules() if len(player_counts(rules)) > 2)
    assert f"{player_counts(many)[-1]} players" in for_whom(many)
    assert f" for {player_counts(many)[1]}; " in in_brief(many, player_counts(many)[1])
