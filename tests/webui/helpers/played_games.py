"""Many games with agreed rounds, drawn from a seeded random generator."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sqlalchemy.orm import Session

from scorer.rules import load_rules, rules_file
from webui.storage.db.row_mapping import side_documents
from webui.storage.db.tables import GameRow, RoundRow, SheetRow
from webui.storage.kept_rules import keep_rules, kept
from webui.storage.records import SideRecord
from webui.storage.store import Store

PEOPLE = ("Ann", "Bo", "Cy", "Di", "Eva", "Fred")
_RANKS = ("4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")


def fill(store: Store, games: int, seed: int = 5) -> None:
    """Adds games of four agreed rounds each; the last one has two."""
    rng = random.Random(seed)
    for number in range(games):
        seated = rng.sample(PEOPLE, 4) if number % 3 else list(PEOPLE[:4])
        sides = (
            SideRecord(" & ".join(seated[:2]), tuple(seated[:2])),
            SideRecord(" & ".join(seated[2:]), tuple(seated[2:])),
        )
        rules = "tanglewood" if number % 5 == 0 else "golden-games"
        game_id = store.add_game(rules, 4, sides, seated[0])
        for round in range(1, 5 if number < games - 1 else 3):
            play_round(store, game_id, round, rng)


def fill_many(store: Store, games: int, seed: int = 7) -> None:
    """Adds games of six to ten agreed rounds each, quickly: many in one transaction."""
    rng = random.Random(seed)
    for first in range(0, games, 100):
        with store._session.begin() as session:
            for number in range(first, min(first + 100, games)):
                _add_game(session, rng, number)


def _add_game(session: Session, rng: random.Random, number: int) -> None:
    players = (4, 4, 4, 6, 2)[number % 5]
    rules = load_rules("tanglewood" if number % 7 == 0 else "golden-games")
    seated = rng.sample(PEOPLE, players)
    each = players // 2
    names = (seated[:each], seated[each:])
    sides = [SideRecord(" & ".join(people), tuple(people)) for people in names]
    keep_rules(session, kept(rules))
    documents = side_documents(sides)
    begun = f"{2019 + number // 300}-{number % 12 + 1:02}-{number % 28 + 1:02}T19:30:00.000+00:00"
    row = GameRow(created_at=begun, rules=rules.id, players=players, sides=documents, first=seated[0])
    session.add(row)
    session.flush()
    for round in range(1, rng.randint(6, 10) + 1):
        out = rng.randrange(2)
        played = [_side(rng, side, place == out) for place, side in enumerate(sides)]
        sheet = {"rules": rules.id, "round": round, "players": players, "sides": played}
        record = RoundRow(game_id=row.id, number=round, facts={})
        session.add(record)
        session.flush()
        session.add(SheetRow(round_id=record.id, sheet=sheet, rules_hash=rules.content_hash))


def play_game(store: Store, sides: Sequence[tuple[str, ...]], rounds: int, rules: str = "golden-games") -> int:
    """Adds a game of these players with agreed rounds; returns its id."""
    named = tuple(SideRecord(" & ".join(players), players) for players in sides)
    game_id, rng = store.add_game(rules, sum(map(len, sides)), named), random.Random(3)
    for number in range(1, rounds + 1):
        play_round(store, game_id, number, rng)
    return game_id


def play_round(store: Store, game_id: int, number: int, rng: random.Random) -> None:
    """Adds one agreed round to a game; one of the first two sides goes out."""
    store.rounds.begin(game_id, number)
    game = store.game(game_id)
    assert game is not None
    record = game.round(number)
    assert record is not None
    out = rng.randrange(2)
    sides = [_side(rng, side, place == out) for place, side in enumerate(game.sides)]
    agree_round(store, record.id, {"rules": game.rules, "round": number, "players": game.players, "sides": sides})


def agree_round(store: Store, round_id: int, sheet: dict[str, Any]) -> None:
    """Stores a round's agreed sheet, with its rules where it is whole, and changes no fact."""
    rules = kept(load_rules(sheet["rules"])) if "sides" in sheet else None
    store.rounds.change_facts(round_id, lambda facts: facts, agreed_sheet=lambda _: sheet, rules=rules)


def write_rules(path: Path, bonus: int) -> None:
    """Writes a rule set of a user's own: golden-games with another bonus for a clean book."""
    text = rules_file("golden-games").read_text(encoding="utf-8").replace('id = "golden-games"', f'id = "{path.stem}"')
    path.write_text(text.replace("clean = 700", f"clean = {bonus}"), encoding="utf-8")


def _side(rng: random.Random, side: SideRecord, out: bool) -> dict[str, Any]:
    melds = []
    for rank in rng.sample(_RANKS, rng.randint(4, 8)):
        wilds = rng.choice((0, 0, 1, 2))
        naturals = [rank + "HSDC"[turn % 4] for turn in range(rng.choice((3, 5, 7, 7, 8)) - wilds)]
        melds.append(naturals + ["2S", "2H"][:wilds])
    left = [
        [] if out else rng.sample(("4S", "JK", "10H", "3D", "AS"), 3),
        rng.sample(("4S", "10H"), rng.randint(0, 2)),
        *([] for _ in side.players[2:]),
    ][: len(side.players)]
    return {
        "name": side.name,
        "melds": melds,
        "laid": ["3H"] * rng.randint(0, 2),
        "buried": [],
        "left": left,
        "went_out": out,
        "exact_deals": rng.randint(0, 1),
        "improper_melds": 0,
    }
