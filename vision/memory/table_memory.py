"""The memory of a table: takes one reading after another and knows what lies where, and since when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from vision.arrays import floats
from vision.groups.rule_prior import group_cards
from vision.memory.books import LEAST_SQUARED, ON_THE_PLACE, part_on_pile, peeping, pile_below, tops_of_books
from vision.memory.groups_now import groups_now
from vision.memory.joining import (
    covered,
    moved_together,
    near_any,
    same_places,
    table_shift,
    transformed,
    usual_width,
)
from vision.memory.state import GONE, SHOWN, UNDER, UNSEEN, Stack, TableChange, TableState, Track, What
from vision.memory.zones import Zone, zone_of
from vision.values import DEFAULT_HOUSE_RULES, HouseRules, Reading, SeenCard

MISSING_LOOKS = 4
"""Stills in a row without a card, with nothing over it, after which it was taken back."""
_SURE_LOOK = 0.97
"""Confidence from which one look is enough to believe in a card."""


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

    def to_json(self) -> dict[str, Any]:
        """All it knows as JSON data, without pictures."""
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

    def observe(self, reading: Reading, second: float) -> tuple[TableChange, ...]:
        """Takes the reading of a still at that second, in which no hand is in.

        Returns:
            What changed since the last still, in the order in which it is to be told.
        """
        state, told = self.state, len(self.state.history)
        state.second = second
        cards = [card for card in reading.cards if self._counts(card)]
        self._follow_table(cards)
        shown = {track.number: track for track in state.shown()}
        tops = tops_of_books(state, cards, self._rules.book_size)
        closed = {self.state.tracks[n].group for n in tops.values()}
        open_cards = [i for i in range(len(cards)) if i not in tops]
        open_tracks = {
            n: (t.face, t.outline, t.sure, self._is_squared(t) and t.steady)
            for n, t in shown.items()
            if t.group not in closed or t.group is None
        }
        found = same_places(open_tracks, [cards[i] for i in open_cards])
        pairs = tops | {open_cards[i]: n for i, n in found.items()}
        pairs |= self._moved(shown, cards, pairs)
        by_card = {i: self._seen(state.tracks[n], cards[i], second) for i, n in pairs.items()}
        for i, card in enumerate(cards):
            if i not in by_card:
                visible = {track.number for track in by_card.values()}
                below = peeping(state, card, self._rules.wild_ranks, visible)
                known = self._seen(below, card, second) if below else self._uncovered(card, second)
                by_card[i] = known or self._new(card, second)
        missing = [track for n, track in shown.items() if n not in pairs.values()]
        self._join_groups(by_card, cards)
        self._explain(missing, list(by_card.values()))
        return tuple(state.history[told:])

    def _counts(self, card: SeenCard) -> bool:
        return not self.zones or zone_of(floats(card.quad), self.zones) is not None

    def _follow_table(self, cards: Sequence[SeenCard]) -> None:
        """Moves all places by the shift of the whole table, after a bump or a pull at the cloth."""
        shift = table_shift(
            [(track.face, track.outline) for track in self.state.shown()],
            [(card.face, floats(card.quad)) for card in cards],
        )
        if shift is not None:
            for track in self.state.tracks.values():
                track.quad = transformed(track.outline, shift).tolist()
            self.zones = [transformed(floats(zone), shift).tolist() for zone in self.zones]

    def _moved(self, shown: Mapping[int, Track], cards: Sequence[SeenCard], pairs: Mapping[int, int]) -> dict[int, int]:
        """Cards, by index, of groups that were pushed aside, with their tracks."""
        state, found = self.state, dict[int, int]()
        width = usual_width([floats(card.quad) for card in cards])
        for stack in state.stacks.values():
            lost = {
                t.number: (t.face, t.outline)
                for t in state.cards_of(stack)
                if t.number in shown and t.number not in pairs.values()
            }
            free = {i: card for i, card in enumerate(cards) if i not in pairs and i not in found}
            together = moved_together(lost, free, width)
            if not together or (len(lost) < 2 and not stack.squared):
                continue
            if stack.squared and covered(next(iter(lost.values()))[1], [floats(card.quad) for card in cards]):
                continue  # the pile still lies there
            found |= together
            first = next(iter(together))
            shift = floats(cards[first].quad).mean(0) - state.tracks[together[first]].outline.mean(0)
            for track in state.cards_of(stack):
                track.quad = (track.outline + shift).tolist()
            # a card that lies a little off is no group that was pushed aside
            if float((shift**2).sum()) ** 0.5 > width:
                self._tell("moved", stack, state.cards_of(stack))
        return found

    def _seen(self, track: Track, card: SeenCard, second: float) -> Track:
        """Notes one more look at a card."""
        track.quad = [[*point] for point in card.quad]
        for face, score in ((card.face, card.confidence), *card.others):
            track.votes[str(face)] = track.votes.get(str(face), 0.0) + score
        track.last_seen, track.looks, track.missing, track.place = second, track.looks + 1, 0, SHOWN
        track.sure = max(track.sure, card.confidence)
        return track

    def _uncovered(self, card: SeenCard, second: float) -> Track | None:
        """The card that was known to lie there, under another or missed for a while."""
        state = self.state
        hidden = {
            t.number: (t.face, t.outline, 0.0, False)
            for t in state.tracks.values()
            if t.place != SHOWN and t.face == card.face and not self._is_squared(t)
        }
        found = same_places(hidden, [card])
        if not found:
            return None
        track = state.tracks[found[0]]
        was_gone = track.place == GONE
        self._seen(track, card, second)
        if was_gone and track.group is not None:
            self._tell("added", state.stacks[track.group], [track])
        return track

    def _is_squared(self, track: Track) -> bool:
        return track.group is not None and self.state.stacks[track.group].squared

    def _new(self, card: SeenCard, second: float) -> Track:
        """Begins to follow a card."""
        state = self.state
        votes = {str(face): score for face, score in ((card.face, card.confidence), *card.others)}
        quad = [[*point] for point in card.quad]
        track = Track(state.next_track, quad, votes, second, second, sure=card.confidence)
        state.tracks[track.number] = track
        state.next_track += 1
        return track

    def _join_groups(self, by_card: Mapping[int, Track], cards: Sequence[SeenCard]) -> None:
        """Puts cards that lie in no group into those that they lie in now."""
        state = self.state
        for i, track in by_card.items():
            if track.group is None and (pile := pile_below(state, track)):
                self._add(pile, [by_card[i]])
        for found in group_cards(cards, self._rules):
            members = [by_card[i] for i in found.cards]
            loose = [t for t in members if t.group is None and (t.looks > 1 or t.sure >= _SURE_LOOK)]
            if not loose or found.kind == "hand":
                continue
            numbers = Counter(t.group for t in members if t.group is not None)
            stack = state.stacks[numbers.most_common(1)[0][0]] if numbers else None
            if stack is not None:
                on_it, beside = part_on_pile(state, stack, loose) if stack.squared else (loose, [])
                if on_it:
                    self._add(stack, on_it)
                if len(beside) >= LEAST_SQUARED:  # as many cards as make a meld
                    self._lay(beside)
            elif found.kind in ("meld", "threes", "pile"):
                self._lay(loose)

    def _lay(self, tracks: Sequence[Track]) -> None:
        """Begins a group."""
        state = self.state
        side = zone_of(tracks[0].outline, self.zones) if self.zones else None
        stack = Stack(state.next_stack, [], side)
        state.stacks[stack.number] = stack
        state.next_stack += 1
        self._put(stack, tracks)
        self._tell("laid", stack, tracks)

    def _add(self, stack: Stack, tracks: Sequence[Track]) -> None:
        self._put(stack, tracks)
        self._tell("added", stack, tracks)

    def _put(self, stack: Stack, tracks: Sequence[Track]) -> None:
        for track in tracks:
            track.group = stack.number
            stack.tracks.append(track.number)

    def _explain(self, missing: Sequence[Track], visible: Sequence[Track]) -> None:
        """Finds what became of cards that showed before and do not now."""
        state = self.state
        # a card that lay there before cannot hide what showed beside it
        outlines = [track.outline for track in visible if track.looks == 1]
        by_group: dict[int | None, list[Track]] = {}
        for track in missing:
            by_group.setdefault(track.group, []).append(track)
        for number, lost in by_group.items():
            if number is None:
                for track in lost:
                    self._lose(track)
                continue
            stack = state.stacks[number]
            stay = [track for track in visible if track.group == number]
            if not stack.squared and len(lost) >= LEAST_SQUARED and 1 <= len(stay) <= 2 and self._is_book(stack):
                stack.squared = True
                self._hide(stack, lost, stay)
                self._tell("squared", stack, state.cards_of(stack))
                continue
            for track in lost:
                if (stack.squared and stay) or covered(track.outline, outlines):
                    self._hide(stack, [track], stay)
                elif not stay:
                    self._search(stack, lost, visible)
                    break
                else:
                    self._lose(track)

    def _is_book(self, stack: Stack) -> bool:
        return len(self.state.cards_of(stack)) >= self._rules.book_size

    def _search(self, stack: Stack, lost: Sequence[Track], visible: Sequence[Track]) -> None:
        """A whole group shows no more: one strange card on its place is the top of what it became."""
        own = [track.outline for track in lost]
        top = [t for t in visible if t.group is None and near_any(t.outline, own, ON_THE_PLACE)]
        if len(top) == 1 and self._is_book(stack):
            stack.squared = True
            self._put(stack, top)
            self._hide(stack, lost, top)
            self._doubt(stack, "A card came on this book while it was being squared; check its cards.")
            self._tell("squared", stack, self.state.cards_of(stack))
            return
        for track in lost:
            self._lose(track)

    def _hide(self, stack: Stack, tracks: Sequence[Track], top: Sequence[Track]) -> None:
        """Puts cards under those that show; a squared pile keeps all its cards at the place of its top."""
        for track in tracks:
            track.place = UNDER
        if stack.squared and top:
            for track in self.state.cards_of(stack):
                if track.place == UNDER:
                    track.quad = [[*point] for point in top[-1].quad]

    def _lose(self, track: Track) -> None:
        """One more still without a card that should show."""
        track.missing += 1
        if track.group is None:
            if track.missing >= MISSING_LOOKS:
                del self.state.tracks[track.number]
            return
        if track.missing < MISSING_LOOKS:
            return
        stack = self.state.stacks[track.group]
        pile = self.state.cards_of(stack)
        track.place = GONE
        if track.looks > 1 or track.sure >= _SURE_LOOK:
            if len(pile) >= self._rules.book_size or len(pile) < len(stack.tracks):  # people take back one card
                self._doubt(stack, "Cards of this meld were not seen again; check what lies there.")
            self._tell("taken-back", stack, [track])

    def _doubt(self, stack: Stack, sentence: str) -> None:
        stack.doubt, stack.sentence = UNSEEN, sentence

    def _tell(self, what: What, stack: Stack, tracks: Sequence[Track]) -> None:
        state = self.state
        state.history.append(
            TableChange(state.second, what, stack.number, state.faces(tracks), stack.side, stack.sentence)
        )

    def groups(self) -> list[dict[str, Any]]:
        """The groups as they lie now, as ``groups_now`` tells them."""
        return groups_now(self.state, self._rules)
