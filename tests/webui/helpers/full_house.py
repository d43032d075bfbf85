"""A house that has played for years: games with confirmed rounds, made by a seeded hand."""

from __future__ import annotations

import random
from typing import Any

from webui.storage.records import SideRecord
from webui.storage.store import Store

PEOPLE = ("Ann", "Bo", "Cy", "Di", "Eva", "Fred")
_RANKS = ("4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")


def fill(store: Store, games: int, seed: int = 5) -> None:
    """Plays so many games of four rounds; the last one stops after two."""
    hand = random.Random(seed)
    for number in range(games):
        seated = hand.sample(PEOPLE, 4) if number % 3 else list(PEOPLE[:4])
        sides = (
            SideRecord(" & ".join(seated[:2]), tuple(seated[:2])),
            SideRecord(" & ".join(seated[2:]), tuple(seated[2:])),
        )
        rules = "tanglewood" if number % 5 == 0 else "golden-games"
        game_id = store.add_game(rules, 4, sides, seated[0])
        for round in range(1, 5 if number < games - 1 else 3):
            play_round(store, game_id, round, hand)


def play_round(store: Store, game_id: int, number: int, hand: random.Random) -> None:
    """Confirms one round of a game with two sides."""
    store.begin_round(game_id, number)
    game = store.game(game_id)
    assert game is not None
    record = game.round(number)
    assert record is not None
    out = hand.randrange(2)
    sides = [_side(hand, side.name, place == out) for place, side in enumerate(game.sides)]
    store.confirm(record.id, {"rules": game.rules, "round": number, "players": game.players, "sides": sides})


def _side(hand: random.Random, name: str, out: bool) -> dict[str, Any]:
    melds = []
    for rank in hand.sample(_RANKS, hand.randint(4, 8)):
        wilds = hand.choice((0, 0, 1, 2))
        naturals = [rank + "HSDC"[turn % 4] for turn in range(hand.choice((3, 5, 7, 7, 8)) - wilds)]
        melds.append(naturals + ["2S", "2H"][:wilds])
    left = [
        [] if out else hand.sample(("4S", "JK", "10H", "3D", "AS"), 3),
        hand.sample(("4S", "10H"), hand.randint(0, 2)),
    ]
    return {
        "name": name,
        "melds": melds,
        "laid": ["3H"] * hand.randint(0, 2),
        "buried": [],
        "left": left,
        "went_out": out,
        "exact_deals": hand.randint(0, 1),
        "improper_melds": 0,
    }
