"""A stored round with everything that a round can have, and what a page would show of it."""

from __future__ import annotations

from tests.webui.helpers.drawn import EAST_TABLE, NORTH_TABLE, photo, reading
from webui.corrections.side_table import TableGroup
from webui.rounds.round_view import view_round
from webui.storage.changes import Add, DropPhoto, Join, Move, Name
from webui.storage.kept_rules import kept
from webui.storage.records import FirstMeldRecord, GameRecord, PhotoRecord, SideRecord
from webui.storage.store import Store

SIDES = (SideRecord("Us", ("Ann", "Bo")), SideRecord("Them", ("Cy", "Di")))


def play(store: Store, agreed: bool = True) -> GameRecord:
    """Adds a round with photos, and corrections of every kind that refers to cards, groups or photos by their ids."""
    game_id = store.add_game("golden-games", 4, SIDES)
    store.rounds.begin(game_id, 1)
    (record,) = whole(store, game_id).rounds
    photos = []
    for table in (NORTH_TABLE, EAST_TABLE):
        file = store.files.add(photo(table), photo(table))
        seen = reading(table)
        photos.append(
            store.rounds.add_photo(
                record.id,
                PhotoRecord(
                    0, 0, None, file, seen.width, seen.height, "t.jpg", "2026-01-02T03:04:05+00:00", seen.as_json()
                ),
            )
        )
    first, second = photos
    added = store.rounds.correct(
        record.id, 0, Add(group="new-meld", face="7H", photo=first, x=5, y=6).model_dump(mode="json")
    )
    for change in (
        Add(group=f"n{added}", face="7S"),
        Name(card=f"a{added}", face="7D"),
        Name(card=f"p{first}c17", face="9S"),
        Move(card=f"p{first}c0", group=f"n{added}"),
        Join(group=f"p{first}g1", into=f"p{first}g0"),
        DropPhoto(photo=second),
    ):
        store.rounds.correct(record.id, 0, change.model_dump(mode="json"))
    undone = store.rounds.correct(record.id, 1, Add(group="laid", face="3H").model_dump(mode="json"))
    store.rounds.undo(record.id, store.version(game_id))
    assert undone
    store.first_melds.add(
        FirstMeldRecord(0, game_id, 1, 0, "a.jpg", 1600, 1000, reading(NORTH_TABLE).as_json(), ({"face": "4H"},))
    )
    if agreed:
        view = view_round(whole(store, game_id), whole(store, game_id).rounds[0])
        store.rounds.change_facts(
            record.id, lambda _: {"0": {"went_out": True}}, agreed_sheet=lambda _: view.sheet, rules=kept(view.rules)
        )
    return whole(store, game_id)


def whole(store: Store, game_id: int) -> GameRecord:
    """A game with everything that belongs to it."""
    game = store.game(game_id)
    assert game is not None
    return game


def shown(game: GameRecord) -> list[tuple[object, ...]]:
    """Everything that pages show of a game's rounds, without the ids of cards, groups and photos."""
    views = [view_round(game, record) for record in game.rounds]

    def shown_group(group: TableGroup) -> tuple[object, ...]:
        cards = [(card.face, card.quad, card.point, card.doubt) for card in group.cards]
        return group.kind, group.rank, group.count, cards

    return [
        (
            view.sheet,
            view.tally,
            [[shown_group(group) for group in side.table.groups] for side in view.sides],
            [[(photo.file, photo.reading) for photo in side.photos] for side in view.sides],
        )
        for view in views
    ]
