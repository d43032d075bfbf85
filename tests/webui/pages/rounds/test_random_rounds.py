"""Random rounds of each rule set entered on the page: its totals are those of ``handfoot score`` and of the pages."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from scorer.rules import RuleSet, list_rules, load_rules
from tests.scorer.independent.compare import page_of
from tests.scorer.independent.paper import Json, is_standard, rank_of
from tests.scorer.independent.random_sheets import Dealer, squared
from tests.webui.helpers.playing import Person
from webui.cli import main
from webui.context.services import services_of
from webui.storage.store import Store


def _seatings(rules: RuleSet) -> list[tuple[int, int]]:
    """Every number of players up to eight and way to seat them, as the form of a new game has them."""
    return [(players, way) for players in range(2, 9) for way in range(len(rules.sides_for(players)))]


def _dealt(rules: RuleSet, dealer: Dealer, players: int, way: int, round: int) -> Json:
    """A sheet that the page can take: cards of this deck, a list of cards left for each player, nothing buried."""
    random, sizes = dealer.random, rules.sides_for(players, round)[way]
    out = random.randrange(-1, len(sizes))
    sides = [_side(rules, dealer, size, players, goes_out=place == out) for place, size in enumerate(sizes)]
    return {"rules": rules.id, "round": round, "players": players, "sides": sides}


def _side(rules: RuleSet, dealer: Dealer, size: int, players: int, *, goes_out: bool) -> Json:
    known = (lambda card: not is_standard(card)) if dealer.own else is_standard
    made = dealer.side(players, goes_out=goes_out)
    asked = {bonus.key or bonus.name: bonus.most_for(size) or 2 for bonus in rules.asked}
    side: Json = {
        "melds": [cards for meld in made["melds"] if (cards := list(filter(known, meld)))],
        "laid": list(filter(known, made["laid"])) if rules.laid else [],
        "left": [[] if goes_out and not n else [dealer.card() for _ in range(3)] for n in range(size)],
        "went_out": goes_out,
        "bonuses": {name: min(n, asked[name]) for name, n in made.get("bonuses", {}).items() if name in asked},
    }
    side["left"] = [list(filter(known, hand)) for hand in side["left"]]
    for key in ("exact_deals", "improper_melds"):
        if key in asked:
            side[key] = min(made.get(key, 0), asked[key])
    return side


def _lay(store: Store, round_id: int, place: int, group: str, faces: list[str]) -> None:
    """Adds cards; those of a new group go to the group that the first one makes."""

    def others(first: int) -> list[Json]:
        into = f"n{first}" if group.startswith("new") else group
        return [{"op": "add", "group": into, "face": face} for face in faces[1:]]

    store.rounds.correct_all(round_id, place, [{"op": "add", "group": group, "face": faces[0]}], then=others)


def _lay_meld(store: Store, round_id: int, place: int, meld: list[str], random: Random) -> None:
    pile = squared(meld, random)
    natural = next((card for card in meld if rank_of(card) == pile["rank"]), None)
    if natural is None or "others" in pile or random.random() < 0.6:
        _lay(store, round_id, place, "new-meld", meld)
        return
    count = {"op": "count", "rank": pile["rank"], "cards": len(meld), "wilds": pile["wilds"]}
    count["caps"] = pile.get("caps", [])
    store.rounds.correct_all(
        round_id,
        place,
        [{"op": "add", "group": "new-pile", "face": natural}],
        then=lambda first: [{**count, "group": f"n{first}"}],
    )


def _enter(person: Person, store: Store, game: str, sheet: Json, random: Random) -> None:
    """Enters a sheet: the cards as corrections, everything else by the forms."""
    token = person.token()  # once, as it is looked up on the home page, which takes its time
    round_ = f"{game}/round/{sheet['round']}"
    person.send(f"{round_}/begin", token=token)
    record = store.game(int(game.rsplit("/", 1)[1]))
    assert record is not None
    (round_id,) = [made.id for made in record.rounds if made.number == sheet["round"]]
    asked: dict[str, Any] = {}
    for place, side in enumerate(sheet["sides"]):
        for meld in side["melds"]:
            _lay_meld(store, round_id, place, meld, random)
        if side["laid"]:
            _lay(store, round_id, place, "laid", side["laid"])
        if not side["melds"] and not side["laid"]:
            person.send(f"{round_}/side/{place}/nothing", token=token)
        for player, hand in enumerate(side["left"]):
            if hand:
                _lay(store, round_id, place, f"left{player}", hand)
            else:
                person.send(f"{round_}/side/{place}/nothing", token=token, player=player)
        asked |= {f"{key}{place}": side[key] for key in ("exact_deals", "improper_melds") if key in side}
        asked |= {f"bonus-{place}-{name}": times for name, times in side["bonuses"].items()}
    out = [place for place, side in enumerate(sheet["sides"]) if side["went_out"]]
    person.send(f"{round_}/facts", token=token, went_out=f"{out[0]}.0" if out else "")
    person.send(f"{round_}/facts", token=token, unseen="yes", **asked)
    person.agree(round_)
    assert person.path == f"{round_}/tally", person.notices()


def _play(
    rules_id: str, number: int, person: Person, folder: Path, capsys: pytest.CaptureFixture[str], seed: int = 1
) -> None:
    """Plays games of up to five rounds, of every seating in turn, until so many rounds are compared."""
    rules, dealer = load_rules(rules_id), Dealer(rules_id, seed)
    store, played, ways = services_of(person.client.application).store, 0, _seatings(rules)
    while played < number:
        players, way = ways[(played // 2) % len(ways)] if number > 1 else dealer.random.choice(ways)
        person.send("/new", rules=rules_id, players=players, seating=way)
        game = person.path.rstrip("/")
        for round in (1, 2) if number > 1 else (1,):
            sheet = _dealt(rules, dealer, players, way, round)
            _enter(person, store, game, sheet, dealer.random)
            expected = [page_of(rules_id)(side, sheet).total for side in sheet["sides"]]
            shown = " ".join(f"{total:,}".replace("-", "−") for total in expected)
            called = f"Set 1, hand {round}" if rules.in_sets else f"Round {round}"
            assert f"{called} {shown}" in person.text, (sheet, person.text)
            (folder / "sheet.json").write_bytes(person.client.get(f"{game}/round/{round}/sheet.json").data)
            capsys.readouterr()
            assert main(["score", "--json", str(folder / "sheet.json")]) == 0
            scored = json.loads(capsys.readouterr().out)
            assert [side["total"] for side in scored["sides"]] == expected, sheet
            played += 1
            if rules.target and max(expected) >= rules.target:
                break  # the game is over


@pytest.mark.parametrize("rules", ["hand-n-foot", "american-canasta"])
def test_a_round_is_worth_on_the_page_what_it_is_on_paper(
    rules: str, person: Person, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _play(rules, 1, person, tmp_path, capsys)


@pytest.mark.by_hand
@pytest.mark.parametrize("rules", list_rules())
def test_rounds_of_every_seating(
    rules: str, person: Person, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _play(rules, max(6, 2 * len(_seatings(load_rules(rules)))), person, tmp_path, capsys)
