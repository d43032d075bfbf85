"""Puts what was seen of a watched round into the round: each side's table, as corrections that can be undone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorer.deck import DeckProfile
from scorer.rules import load_rules
from vision.doubts import Doubt
from vision.memory.groups import RememberedCard
from vision.memory.state import UNSEEN
from webui.corrections.answers import TABLE
from webui.corrections.outside import set_outside
from webui.decks.in_play import deck_in_play
from webui.reading.reader_service import house_rules_of
from webui.rounds.round_view import view_round
from webui.storage.changes import Watched, WatchedCard, WatchedGroup
from webui.storage.records import GameRecord
from webui.storage.store import Store
from webui.watching.film import Film
from webui.watching.outside import side_of
from webui.watching.table_watch import TableWatch

_MOST_OTHERS = 6
_LEAST_SHARE = 0.02


def fill_round(store: Store, watch: TableWatch, game: GameRecord, number: int) -> bool:
    """Fills each side's table of which nothing is known yet, once; whether anything was filled.

    Nothing is, where the round was not watched, or where nobody has said where each side lays its cards.

    Raises:
        StorageError: it cannot be stored.
        RulesError: the game's rules cannot be loaded.
    """
    film, record = watch.film(game, number), game.round(number)
    if film is None or record is None or film.is_counted or film.areas is None or film.memory is None:
        return False
    view = view_round(game, record)
    unknown = [side.index for side in view.sides if not side.is_known(TABLE)]
    found, outside = seen_tables(film, game)
    changes = {side: [found[side].model_dump(mode="json")] for side in unknown if found[side].groups or outside}
    film.is_counted = True
    if changes:
        store.rounds.change_facts(record.id, lambda facts: set_outside(facts, outside), corrections=changes)
    watch.films.save(film)
    return bool(changes)


def fill_side(store: Store, watch: TableWatch, game: GameRecord, number: int, side: int) -> bool:
    """Fills one side's table in place of what is known of it; whether there was anything to fill.

    Raises:
        StorageError, RulesError: as ``fill_round``.
    """
    film, record = watch.film(game, number), game.round(number)
    if film is None or record is None or film.areas is None or film.memory is None:
        return False
    found, outside = seen_tables(film, game)
    changes = {side: [found[side].model_dump(mode="json")]}
    store.rounds.change_facts(record.id, lambda facts: set_outside(facts, outside), corrections=changes)
    return True


def seen_tables(film: Film, game: GameRecord) -> tuple[Mapping[int, Watched], list[WatchedGroup]]:
    """What lay on each side's table when it was seen last, and what lay outside all boxes."""
    rules = load_rules(game.rules)
    deck = deck_in_play(game.decks, rules)
    memory = film.remembered(house_rules_of(game, rules))
    groups: dict[int, list[WatchedGroup]] = {side: [] for side in range(len(game.sides))}
    outside: list[WatchedGroup] = []
    for found in memory.groups():
        seen = _group(found, memory.cards_of(found["number"]), deck)
        groups.get(found["side"], outside).append(seen)
    for document in film.outside:
        group = WatchedGroup.model_validate(document)
        side = side_of(film, group)
        (outside if side is None else groups[side]).append(group)
    early = film.end if film.end in ("stopped", "camera-lost") else None
    return {side: Watched(groups=tuple(own), early=early) for side, own in groups.items()}, outside


def _group(found: Mapping[str, Any], cards: tuple[RememberedCard, ...], deck: DeckProfile) -> WatchedGroup:
    return WatchedGroup(
        kind="threes" if found["kind"] == "threes" else "meld",
        rank=found["rank"],
        doubt=found["doubt"] if found["doubt"] in (UNSEEN, Doubt.ODD_ONE_OUT) else None,
        cards=tuple(_card(card, deck) for card in cards),
    )


def _card(card: RememberedCard, deck: DeckProfile) -> WatchedCard:
    doubt = None if card.is_sure else Doubt.LOW_CONFIDENCE.value
    if card.face not in deck.copies:
        doubt = Doubt.UNKNOWN_FACE.value
    others = [(str(face), round(share, 4)) for face, share in card.others if share >= _LEAST_SHARE]
    return WatchedCard(
        face=str(card.face),
        track=card.number,
        hidden=card.is_hidden,
        doubt=doubt,
        others=tuple(others[:_MOST_OTHERS]) if doubt else (),
        guessed=card.is_guessed,
    )
