"""The memory of a table: takes one reading after another and knows what lies where, and since when."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vision.arrays import Floats, floats
from vision.memory.books import (
    came_over_rivals,
    is_part_of_pile,
    laid_on_their_like,
    peeping,
    showing,
    shows_both_ends,
    tops_of_books,
    tuck_crosswise,
)
from vision.memory.groups import Groups, RememberedCard, groups_now, remembered_cards
from vision.memory.joining import Lying, same_places, table_shift, transformed
from vision.memory.laying import Laying
from vision.memory.missing import bare_places, explain
from vision.memory.pictures.alignment import ALIKE, CardPictures
from vision.memory.pictures.ground import Ground
from vision.memory.pictures.parts import Region, inside
from vision.memory.pictures.places import Places
from vision.memory.pushes import pushed_aside, read_aside, take_back_pushed_along
from vision.memory.state import GONE, SHOWN, SURE_LOOK, UNDER, TableChange, TableState, Track
from vision.memory.zones import Zone, zone_of
from vision.values import DEFAULT_HOUSE_RULES, HouseRules, Pixels, Reading, SeenCard


@dataclass(frozen=True, slots=True)
class Still:
    """A still, and what is known before its cards are joined with those that lay there.

    Attributes:
        second: when.
        cards: what was read; all else refers to them by their indices.
        fresh: those that were looked at now.
        shown: the tracks of the cards that showed before, by number.
        same: of these, when those were seen last whose places have not changed since.
    """

    second: float
    cards: Sequence[SeenCard]
    fresh: frozenset[int]
    shown: Mapping[int, Track]
    same: Mapping[int, float]


class TableMemory:
    """Joins readings of one table over time.

    Cards outside the ``zones`` are not remembered; without zones all are. ``state`` is what an earlier memory knew.
    """

    def __init__(
        self,
        house_rules: HouseRules = DEFAULT_HOUSE_RULES,
        zones: Sequence[Zone] = (),
        state: TableState | None = None,
    ) -> None:
        self._rules, self.zones = house_rules, zones
        self.state = TableState() if state is None else state
        self._groups = Groups(self.state, house_rules.book_size)
        self.places, self._ground, self._pictures = Places(), Ground(), CardPictures()

    def to_json(self) -> dict[str, Any]:
        """All it knows as JSON data, without any picture."""
        return {"state": self.state.as_json(), "zones": [[[*point] for point in zone] for zone in self.zones]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any], house_rules: HouseRules = DEFAULT_HOUSE_RULES) -> TableMemory:
        """The memory that wrote ``data`` with ``to_json``, which goes on where that ended.

        Raises:
            ValueError: the data is something else.
        """
        if not isinstance(data, Mapping) or not {"state", "zones"} <= data.keys():
            raise ValueError("expected what the table's memory wrote, got something else")
        return cls(house_rules, data["zones"], TableState.of_json(data["state"]))

    def observe(
        self, reading: Reading, second: float, pixels: Pixels | None = None, looked: Sequence[Region] | None = None
    ) -> tuple[TableChange, ...]:
        """Takes the reading of a still at that second, in which no hand is in.

        Args:
            reading: what was read.
            second: when.
            looked: the parts of the picture that were read now, all if not given; elsewhere the reading is that of
                an earlier still, which is no new look.
            pixels: the still, (height, width, 3) BGR, which tells a card that something hides from one that is gone;
                without it each card that no longer shows counts as gone after a while.

        Returns:
            What changed since the last still, in the order in which it is to be told.
        """
        told = len(self.state.history)
        self.state.second = second

        def is_looked_at(outline: Floats) -> bool:
            return looked is None or inside(outline, looked, (reading.height, reading.width))

        cards = [one for one in reading.cards if not self.zones or zone_of(floats(one.quad), self.zones) is not None]
        fresh = frozenset(i for i, card in enumerate(cards) if is_looked_at(floats(card.quad)))
        self._follow_table(cards)
        still = Still(second, cards, fresh, *self._compared(second, pixels))
        by_card = self._known(still, self._paired(still))
        self._add_others(still, by_card)
        found_now = {track.number for track in by_card.values()}
        missing = [
            track
            for n, track in still.shown.items()
            if n not in found_now and track.place == SHOWN and (n not in still.same or track.group is None)
            if is_looked_at(track.outline)
        ]
        if pixels is not None:
            self._ground.see(pixels, [track.outline for track in self.state.tracks.values() if track.place != GONE])
        Laying(self._groups, self._rules, self.zones, None if pixels is None else self._ground).join(by_card, cards)
        visible = list(by_card.values())
        explain(self._groups, missing, visible, bare_places(missing, visible, pixels, self._ground))
        tuck_crosswise(self.state, [t for t in visible if t.group is None], self._rules.wild_ranks)
        self._keep_tops({by_card[i].number for i in fresh if i in by_card})
        return tuple(self.state.history[told:])

    def _compared(self, second: float, pixels: Pixels | None) -> tuple[dict[int, Track], dict[int, float]]:
        """The cards that showed before, and since when those lie as they lay whose places look the same."""
        if pixels is not None:
            self.places.see(pixels, second)
        shown = {track.number: track for track in self.state.shown()}
        same = {n: t.last_seen for n, t in shown.items() if self.places.same_since(t.outline, t.last_seen)}
        self._compare_tops(shown, same, pixels)
        return shown, same

    def _paired(self, still: Still) -> dict[int, int]:
        """The tracks that cards belong to: of the tops of closed books, then of all others by face and place."""
        tops = tops_of_books(self.state, still.cards, self._rules.book_size)
        closed = {self.state.tracks[n].group for n in tops.values()}
        open_cards = [i for i in range(len(still.cards)) if i not in tops]
        open_tracks = {
            n: Lying(t.face, t.outline, 0.0 if n in still.same else t.sure, self._groups.is_squared(t), t.steady)
            for n, t in still.shown.items()
            if t.group not in closed or t.group is None
        }
        found = same_places(open_tracks, [still.cards[i] for i in open_cards])
        pairs = tops | {open_cards[i]: n for i, n in found.items()}
        take_back_pushed_along(self.state, still.shown, still.cards, pairs, still.same)
        return pairs

    def _known(self, still: Still, pairs: dict[int, int]) -> dict[int, Track]:
        """The tracks of cards that lay there before, by card, and of those that came upon a card of their ``pairs``."""
        state, cards, wilds = self.state, still.cards, self._rules.wild_ranks
        moved = pushed_aside(self._groups, still.shown, cards, pairs)
        read_now = {i: n for i, n in pairs.items() if i in still.fresh}
        again, unclear = laid_on_their_like(state, read_now, cards, wilds, self._pictures, still.same)
        for stack in unclear:
            self._groups.doubt(stack, "The top of this pile moved; check whether a card like it came.")
        over, waiting = came_over_rivals(state, pairs, cards, wilds, self._pictures, still.same, still.fresh)
        pairs = pairs | moved
        by_card = {i: state.tracks[pairs[i]] for i in waiting}
        for i in (*again, *over):
            by_card[i] = self._cover(state.tracks[pairs.pop(i)], cards[i], still.second)
        for i, n in pairs.items():
            if i not in waiting:
                by_card[i] = self._seen(state.tracks[n], cards[i], still.second, i in still.fresh)
        return by_card

    def _add_others(self, still: Still, by_card: dict[int, Track]) -> None:
        """Adds the cards looked at that belong to no track yet: uncovered, pushed aside, or new."""
        state, wilds = self.state, self._rules.wild_ranks
        others = [i for i in range(len(still.cards)) if i not in by_card]
        laid = [floats(still.cards[i].quad) for i in others if shows_both_ends(still.cards[i])]
        for i in (i for i in others if i in still.fresh):
            card, known_now = still.cards[i], {track.number for track in by_card.values()}
            below = peeping(state, card, wilds, known_now)
            if (below and below.number in known_now) or is_part_of_pile(state, card, still.same, self.places, wilds):
                continue  # the other end of a wild, or a part of what lies on a pile
            known = self._seen(below, card, still.second) if below else self._uncovered(card, still.second)
            if known is None and (aside := read_aside(state, card, laid, still.shown, known_now, still.same)):
                known = self._seen(aside, card, still.second, is_new=False)
            by_card[i] = known or self._new(card, still.second)

    def _compare_tops(self, shown: Mapping[int, Track], same: dict[int, float], pixels: Pixels | None) -> None:
        """Adds those cards of piles to the ``same`` that lie as they lay, by their pictures."""
        if pixels is None:
            return
        self._pictures.see(pixels)
        if len(same) * 2 < len(shown):  # all of it moved, or the lamps did
            self._pictures.forget()
        known = self._pictures.known()
        self._pictures.forget([n for n in known if n not in shown])
        stayed = [n for n in known if n in shown and n not in same and self._pictures.stayed(n)]
        same.update({n: shown[n].last_seen for n in stayed})

    def _keep_tops(self, read_now: Container[int]) -> None:
        """Takes new pictures of the cards that show of piles, where they are clear."""
        for stack in self.state.stacks.values():
            shown = showing(self.state, stack, self._rules.wild_ranks) if stack.squared else []
            for place, track in enumerate(shown):
                moved = self._pictures.moved(track.number)
                if track.number in read_now and (moved is None or moved.likeness >= ALIKE):
                    self._pictures.keep(track.number, track.outline, [t.outline for t in shown[place + 1 :]])

    def _cover(self, track: Track, card: SeenCard, second: float) -> Track:
        """A card of the same face came upon the top of a pile."""
        track.place, new = UNDER, self._new(card, second)
        if track.group is not None:
            self._groups.add(self.state.stacks[track.group], [new])
        return new

    def _follow_table(self, cards: Sequence[SeenCard]) -> None:
        """Moves all places by the shift of the whole table, after a bump or a pull at the cloth."""
        shown = self.state.shown()
        shift = table_shift(
            [(track.face, track.outline) for track in shown],
            [(card.face, floats(card.quad)) for card in cards],
            [track.group for track in shown],
        )
        if shift is not None:
            self._pictures.forget()
            for track in self.state.tracks.values():
                track.quad = transformed(track.outline, shift).tolist()
                if track.exact is not None:
                    track.exact = transformed(floats(track.exact), shift).tolist()
            self.zones = [transformed(floats(zone), shift).tolist() for zone in self.zones]

    def _seen(self, track: Track, card: SeenCard, second: float, is_new: bool = True) -> Track:
        """Notes one more look at a card; or that it lies there still, if what was read of it is not new."""
        if not is_new:
            track.last_seen, track.missing, track.place = second, 0, SHOWN
            return track
        track.quad = [[*point] for point in card.quad]
        track.exact = track.quad if shows_both_ends(card) else track.exact
        track.vote(card, shows_both_ends(card))
        track.last_seen, track.looks, track.missing, track.place = second, track.looks + 1, 0, SHOWN
        track.sure = max(track.sure, card.confidence)
        return track

    def _uncovered(self, card: SeenCard, second: float) -> Track | None:
        """The card that was known to lie there, under another or missed for a while.

        A look that is not sure of its face is one at a card that lay there under another, and tells nothing of it.
        """
        state = self.state
        hidden = {
            t.number: Lying(t.face, t.outline)
            for t in state.tracks.values()
            if t.place != SHOWN and (t.face == card.face or (t.place == UNDER and card.confidence < SURE_LOOK))
            if not self._groups.is_squared(t) or (t.face == card.face and self._is_hidden_top(t))
        }
        found = same_places(hidden, [card])
        if not found:
            return None
        track = state.tracks[found[0]]
        was_gone = track.place == GONE
        self._seen(track, card, second, card.face == track.face)
        if was_gone and track.group is not None:
            self._groups.tell("added", state.stacks[track.group], [track])
        return track

    def _is_hidden_top(self, track: Track) -> bool:
        """Whether a card is the top of a squared pile, and one that is no part of the pile lay on it."""
        if track.group is None:
            return False
        own = self.state.cards_of(self.state.stacks[track.group])
        later = [t for t in own if t.last_seen > track.last_seen]
        # but for the end of a wild that shows from under it, it was seen last
        return all(t.last_seen == self.state.second and t.face.rank in self._rules.wild_ranks for t in later)

    def _new(self, card: SeenCard, second: float) -> Track:
        """Begins to follow a card."""
        state = self.state
        quad = [[*point] for point in card.quad]
        exact = quad if shows_both_ends(card) else None
        track = Track(state.next_track, quad, {}, second, second, sure=card.confidence, exact=exact)
        track.vote(card, exact is not None)
        state.tracks[track.number] = track
        state.next_track += 1
        return track

    def set_zones(self, zones: Sequence[Zone]) -> None:
        """Says whose part of the table is where, also of the groups that lie there already."""
        self.zones = zones
        for stack in self.state.stacks.values():
            if tracks := self.state.cards_of(stack):
                stack.side = zone_of(tracks[0].outline, zones) if zones else None

    def groups(self) -> list[dict[str, Any]]:
        """The groups as they lie now, as ``groups_now`` tells them."""
        return groups_now(self.state, self._rules)

    def cards_of(self, number: int) -> tuple[RememberedCard, ...]:
        """The cards of the group of that number, each with how sure it is."""
        return remembered_cards(self.state, number, self._rules)
