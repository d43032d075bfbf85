"""What the log says of the answers about a round."""

from __future__ import annotations

from scorer.rules import load_rules
from webui.corrections.answers import set_went_out
from webui.games.log.facts_log import changed_facts
from webui.storage.records import SideRecord

SIDES = (SideRecord("Us", ("Ann", "Bo")), SideRecord("Them", ("Cy", "Di")))


def test_that_nobody_went_out_is_told_only_once_somebody_said_so() -> None:
    rules = load_rules("golden-games")
    nobody, bo = set_went_out({}, 2, None, None), set_went_out({}, 2, 0, 1)
    assert changed_facts({}, {"starter": [0, 0]}, SIDES, rules)[0] != "Who went out"
    assert changed_facts({}, nobody, SIDES, rules) == ("Who went out", "", "nobody")
    assert changed_facts(nobody, bo, SIDES, rules) == ("Who went out", "nobody", "Bo")
    assert changed_facts(bo, {}, SIDES, rules) == ("Who went out", "Bo", "")
