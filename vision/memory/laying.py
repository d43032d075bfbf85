"""Puts cards that lie in no group into those that they lie in now, or begins groups of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from vision.groups.rule_prior import group_cards
from vision.memory.books import LEAST_SQUARED, fits, is_end_of_crosswise, part_on_pile, pile_below
from vision.memory.groups import Groups
from vision.memory.joining import near_any
from vision.memory.pictures.ground import Ground
from vision.memory.state import SURE_LOOK, Stack, Track
from vision.memory.zones import Zone, zone_of
from vision.values import HouseRules, SeenCard

BESIDE_AN_END = 0.25
"""Share of bare table from which what was read for a card is the end of another one."""
BESIDE = 4.0
"""Card widths within which a three lies beside another of its side."""


class Laying:
    """What is laid on a table: ``groups`` are those that are known, ``zones`` whose part of it is where, ``ground`` how
    the table looks where it lies bare, if it is known."""

    def __init__(self, groups: Groups, rules: HouseRules, zones: Sequence[Zone], ground: Ground | None = None) -> None:
        self._groups, self._rules, self._zones, self._ground = groups, rules, zones, ground
        self._state = groups.state

    def join(self, by_card: Mapping[int, Track], cards: Sequence[SeenCard]) -> None:
        """Joins cards that a still shows: their tracks by the index of each, and all ``cards`` that were read of it."""
        state = self._state
        for track in by_card.values():
            if track.group is not None or not self._is_believed(track):
                continue
            pile = pile_below(state, track, self._rules.wild_ranks)
            if pile and self._may_join(pile, track):
                self._groups.add(pile, [track])
        self._join_threes([track for track in by_card.values() if track.group is None and self._is_believed(track)])
        for found in group_cards(cards, self._rules):
            members = [by_card[i] for i in found.cards if i in by_card]
            loose = [t for t in members if t.group is None and self._is_believed(t)]
            if not loose or found.kind in ("hand", "run"):  # its groups have a rank each
                continue
            numbers = Counter(t.group for t in members if t.group is not None)
            stack = state.stacks[numbers.most_common(1)[0][0]] if numbers else None
            loose = [t for t in loose if not self._is_end(t)]
            if stack is not None:
                loose = [
                    t for t in loose if not stack.squared or (t.exact and fits(state, stack, t, self._rules.wild_ranks))
                ]
                on_it, beside = part_on_pile(state, stack, loose) if stack.squared else (loose, [])
                if on_it:
                    self._groups.add(stack, on_it)
                if len(beside) >= LEAST_SQUARED:  # as many cards as make a meld
                    self._lay(beside)
            elif found.kind in ("meld", "threes", "pile") and loose:
                self._lay(loose)

    def _may_join(self, pile: Stack, track: Track) -> bool:
        """Whether a card may come on a squared pile: what lies on top shows both its ends."""
        return track.exact is not None and fits(self._state, pile, track, self._rules.wild_ranks)

    def _join_threes(self, loose: Sequence[Track]) -> None:
        """Puts threes, which are laid one by one and form no melds, beside those of their side."""
        for track in loose:
            if track.face.rank not in self._rules.threes:
                continue
            near = [s for s in self._state.stacks.values() if self._is_of_threes(s) and self._lies_beside(track, s)]
            if near:
                self._groups.add(near[0], [track])
            else:
                self._lay([track])

    def _is_of_threes(self, stack: Stack) -> bool:
        own = self._state.cards_of(stack)
        return bool(own) and all(track.face.rank in self._rules.threes for track in own)

    def _lies_beside(self, track: Track, stack: Stack) -> bool:
        same_side = not self._zones or zone_of(track.outline, self._zones) == stack.side
        return same_side and near_any(track.outline, [t.outline for t in self._state.cards_of(stack)], BESIDE)

    def _is_believed(self, track: Track) -> bool:
        return track.looks > 1 or track.sure >= SURE_LOOK

    def _is_end(self, track: Track) -> bool:
        """Whether what was read for a card is the end of another, beside which the table shows."""
        if not is_end_of_crosswise(self._state, track, self._rules.wild_ranks):
            return False
        bare = None if self._ground is None else self._ground.bare(track.outline)
        return bare is None or bare >= BESIDE_AN_END

    def _lay(self, tracks: Sequence[Track]) -> None:
        side = zone_of(tracks[0].outline, self._zones) if self._zones else None
        for stack in self._state.stacks.values():
            if stack.side == side and self._lay_elsewhere(stack, tracks):
                self._groups.lay_again(stack, tracks)
                return
        self._groups.lay(tracks, side)

    def _lay_elsewhere(self, stack: Stack, tracks: Sequence[Track]) -> bool:
        """Whether cards are most of those of a meld of which nothing shows any more: nobody takes back a whole meld."""
        gone = Counter(self._state.tracks[n].face for n in stack.tracks if n in self._state.tracks)
        same = (gone & Counter(track.face for track in tracks)).total()
        return not self._state.cards_of(stack) and same >= LEAST_SQUARED and 2 * same > gone.total()
