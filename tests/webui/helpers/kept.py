"""A round with all that can be kept of one, and how it looks to those who ask for it."""

from __future__ import annotations

from tests.webui.helpers.drawn import EAST_TABLE, NORTH_TABLE, photo, reading
from webui.corrections.changes import Add, DropPhoto, Join, Move, Name
from webui.corrections.side_table import TableGroup
from webui.rounds.round_view import view_round
from webui.storage.records import FirstMeldRecord, GameRecord, PhotoRecord, SideRecord
from webui.storage.store import Store

SIDES = (SideRecord("Us", ("Ann", "Bo")), SideRecord("Them", ("Cy", "Di")))


def play(store: Store, agreed: bool = True) -> GameRecord:
    """A round with photos, and corrections of every kind that speaks of cards, groups and photos by their numbers."""
    game_id = store.add_game("golden-games", 4, SIDES)
    store.begin_round(game_id, 1)
    (held,) = whole(store, game_id).rounds
    photos = []
    for table in (NORTH_TABLE, EAST_TABLE):
        file = store.files.keep(photo(table), photo(table))
        read = reading(table)
        photos.append(
            store.add_photo(
                held.id,
                PhotoRecord(0, 0, None, file, read.width, read.height, "t.jpg", "2026-01-02T03:04:05", read.as_json()),
            )
        )
    first, second = photos
    added = store.correct(held.id, 0, Add(group="new-meld", face="7H", photo=first, x=5, y=6).model_dump(mode="json"))
    for change in (
        Add(group=f"n{added}", face="7S"),
        Name(card=f"a{added}", face="7D"),
        Name(card=f"p{first}c17", face="9S"),
        Move(card=f"p{first}c0", group=f"n{added}"),
        Join(group=f"p{first}g1", into=f"p{first}g0"),
        DropPhoto(photo=second),
    ):
        store.correct(held.id, 0, change.model_dump(mode="json"))
    undone = store.correct(held.id, 1, Add(group="laid", face="3H").model_dump(mode="json"))
    store.take_back(held.id, store.version(game_id))
    assert undone
    store.first_melds.add(FirstMeldRecord(0, game_id, 1, 0, "a.jpg", 4, 3, {"cards": []}, ({"face": "4H"},)))
    if agreed:
        sheet = view_round(whole(store, game_id), whole(store, game_id).rounds[0]).sheet
        store.change_facts(held.id, lambda _: {"0": {"went_out": True}}, confirmed=lambda _: sheet)
    return whole(store, game_id)


def whole(store: Store, game_id: int) -> GameRecord:
    found = store.game(game_id)
    assert found is not None
    return found


def shown(game: GameRecord) -> list[tuple[object, ...]]:
    """All that a person sees of a game's rounds, without any number of a card, group or photo."""
    views = [view_round(game, held) for held in game.rounds]

    def group(held: TableGroup) -> tuple[object, ...]:
        cards = [(card.face, card.quad, card.point, card.doubt) for card in held.cards]
        return held.place, held.rank, held.count, cards

    return [
        (
            view.sheet,
            view.tally,
            [[group(held) for held in side.table.groups] for side in view.sides],
            [[(held.file, held.reading) for held in side.photos] for side in view.sides],
        )
        for view in views
    ]
