"""Games, events and other names of an archive as pydantic models: everything that pages and scores rely on."""

from __future__ import annotations

import hashlib
from typing import Any, Literal

from pydantic import Field, model_validator

from scorer.data import Frozen
from scorer.rules import rules_from_text
from webui.storage.backup.checks.documents import (
    FirstMeldCard,
    ReadingDocument,
    SideOfGame,
    check_correction,
    check_facts,
    check_logged,
    check_sheet,
    most_players,
)
from webui.storage.backup.checks.values import (
    DeckIds,
    FileName,
    Hash,
    Id,
    Name,
    Pixels,
    RoundNumber,
    RulesId,
    Seat,
    Stamp,
    Word,
)
from webui.storage.events.facts import Fact, Setup
from webui.wording import name_key

_PLANNED, _PLANNED_A_PLAYER = 99, 9
"""The most rounds that a rule set can plan, and the most that each player adds; see ``scorer.rules.table_parts``."""
_MOST_FACTS = 20_000
"""The most facts of an event; one of a hundred tables has some thousand."""


class ArchivedPhoto(Frozen):
    """A row of ``photos``."""

    id: Id
    round_id: Id
    side: Seat
    player: Seat | None
    file: FileName
    width: Pixels
    height: Pixels
    source: Name
    taken_at: Stamp
    reading: ReadingDocument | None


class ArchivedCorrection(Frozen):
    """A row of ``corrections``."""

    id: Id
    round_id: Id
    side: Seat
    change: dict[str, Any]
    made_at: Stamp


class ArchivedSheet(Frozen):
    """A row of ``sheets``."""

    id: Id
    round_id: Id
    sheet: dict[str, Any]
    confirmed_at: Stamp
    rules_hash: Hash | None


class ArchivedRound(Frozen):
    """A row of ``rounds`` with what belongs to it, as much as pages can show."""

    id: Id
    game_id: Id
    number: RoundNumber
    facts: dict[str, Any]
    photos: tuple[ArchivedPhoto, ...] = Field(max_length=500)
    corrections: tuple[ArchivedCorrection, ...] = Field(max_length=5000)
    sheets: tuple[ArchivedSheet, ...] = Field(max_length=1000)


class ArchivedFirstMeld(Frozen):
    """A row of ``first_melds``."""

    id: Id
    game_id: Id
    round: RoundNumber
    side: Seat
    file: FileName
    width: Pixels
    height: Pixels
    reading: ReadingDocument
    faces: tuple[FirstMeldCard, ...]
    made_at: Stamp


class ArchivedChange(Frozen):
    """A row of ``log``."""

    id: Id
    game_id: Id
    round: RoundNumber | None
    side: Seat | None
    what: Word
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    made_at: Stamp
    who: Name | None


class ArchivedGame(Frozen):
    """A row of ``games`` with everything that belongs to it.

    ``kept_rules`` are the texts of rule sets that its agreed sheets refer to, by their hash.
    """

    id: Id
    created_at: Stamp
    rules: RulesId
    players: int = Field(strict=True, ge=1, le=99)
    sides: tuple[SideOfGame, ...] = Field(min_length=2, max_length=99)
    state: Literal["ended", "open", "removed"] | None
    first: Name | None
    mark: Word | None
    at_table: Name | None
    practice: bool
    decks: DeckIds | None
    event_id: Id | None
    event_stage: RoundNumber | None
    event_table: RoundNumber | None
    rounds: tuple[ArchivedRound, ...]
    first_melds: tuple[ArchivedFirstMeld, ...]
    log: tuple[ArchivedChange, ...]
    kept_rules: dict[str, str]

    @model_validator(mode="after")
    def _documents_fit_the_game(self) -> ArchivedGame:
        """Rounds and documents that name sides, players or rules name those of this game."""
        told = (*(meld.round for meld in self.first_melds), *(change.round for change in self.log))
        for number in {*(record.number for record in self.rounds), *told}:
            self._check_round(number)
        for record in self.rounds:
            check_facts(record.facts, self.sides)
            for photo in record.photos:
                self._check_place(photo.side, photo.player)
            for correction in record.corrections:
                self._check_place(correction.side)
                check_correction(correction.change)
            for sheet in record.sheets:
                check_sheet(sheet.sheet, self.sides)
                if sheet.rules_hash is not None:
                    self._check_rules(sheet.rules_hash)
        for meld in self.first_melds:
            self._check_place(meld.side)
        for change in self.log:
            check_logged(change.what, change.before, change.after, self.sides)
        return self

    def _check_round(self, number: int | None) -> None:
        """Checks that there can be a round: planned by some rules, or one more than was played before."""
        if number is None or number <= _PLANNED + _PLANNED_A_PLAYER * self.players:
            return
        played = {record.number for record in self.rounds}
        if number - 1 not in played:
            raise ValueError(f"expected a round of the game or its next one, got {number}")

    def _check_place(self, side: int, player: int | None = None) -> None:
        if side >= len(self.sides) or (player or 0) >= most_players(self.sides):
            raise ValueError(f"expected a side and player of the game, got {side} and {player}")

    def _check_rules(self, rules_hash: str) -> None:
        text = self.kept_rules.get(rules_hash, "")
        rules_from_text(text)
        if hashlib.sha256(text.encode()).hexdigest()[:32] != rules_hash:
            raise ValueError(f"expected kept rules that match their hash, got others than {rules_hash}")


class ArchivedFact(Frozen):
    """A row of ``event_facts``."""

    id: Id
    event_id: Id
    number: int = Field(strict=True, ge=1, le=10**6)
    fact: Fact
    made_at: Stamp
    who: Name | None


class ArchivedEvent(Frozen):
    """A row of ``events`` with its facts."""

    id: Id
    created_at: Stamp
    mark: Word
    name: Name
    rules: RulesId
    setup: Setup
    facts: tuple[ArchivedFact, ...] = Field(max_length=_MOST_FACTS)

    @model_validator(mode="after")
    def _facts_are_numbered(self) -> ArchivedEvent:
        if [fact.number for fact in self.facts] != list(range(1, len(self.facts) + 1)):
            raise ValueError("expected facts numbered from 1 on, got others")
        return self


class ArchivedOtherName(Frozen):
    """A row of ``other_names``."""

    id: Id
    key: str
    written: Name
    name: Name
    made_at: Stamp
    who: Name | None

    @model_validator(mode="after")
    def _key_is_that_of_the_name(self) -> ArchivedOtherName:
        if self.key != name_key(self.written):
            raise ValueError("expected the key of the name, got another")
        return self
