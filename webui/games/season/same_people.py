"""People whose names were written differently, counted as one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from webui.games.season.played_games import PersonGame, PlayedGame
from webui.storage.people import OtherName
from webui.wording import name_key


@dataclass(frozen=True, slots=True)
class SamePeople:
    """Which name is another spelling of which: the person's name by the key of each other one."""

    names: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, others: Iterable[OtherName]) -> SamePeople:
        """From what is stored."""
        return cls({name_key(one.written): one.name for one in others})

    def name(self, written: str) -> str:
        """What the person of a name is called."""
        return self.names.get(name_key(written), written)

    def among(self, names: Iterable[str]) -> dict[str, str]:
        """What each of the people who play together is called, by their names as written.

        Two of them are two people whatever was said about their names, and keep these.
        """
        names = tuple(dict.fromkeys(names))
        if not self.names:
            return {name: name for name in names}
        called = {name: self.name(name) for name in names}
        keys = [name_key(name) for name in called.values()]
        return {name: end if keys.count(name_key(end)) == 1 else name for name, end in called.items()}

    def renamed(self, played: PlayedGame) -> PlayedGame:
        """A game with everybody under the name of the person; the same game where nobody has another."""
        called = self.among(person.name for person in played.people) if self.names else {}
        if all(name == end for name, end in called.items()):
            return played
        return replace(played, people=tuple(_renamed(person, called) for person in played.people))


def _renamed(person: PersonGame, called: Mapping[str, str]) -> PersonGame:
    return replace(
        person,
        name=called[person.name],
        partners={called.get(name, name): of for name, of in person.partners.items()},
        against=frozenset(called.get(name, name) for name in person.against),
    )
