"""Only what changed is read again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from scorer.faces import Face
from tests.vision.memory.sequences import WIDTH, card, column, picture, reading_of_part
from vision.memory.pictures.parts import WHOLE_EVERY, PartReader
from vision.memory.pictures.stills import LOOKS
from vision.memory.zones import Zone
from vision.values import Frame, Reading, SeenCard

LEFT, RIGHT = column("8H 8C 8D", 100, 100), column("KH KC KD", 900, 500)
MORE = column("8H 8C 8D 8S", 100, 100)
WHOLE = (720, 1280, 3)


@dataclass
class Table:
    """A table of which a still is read now and then; knows the shapes of what was given to the reader.

    ``read_as``: a face that the reader takes for another.
    """

    lying: list[SeenCard]
    shapes: list[tuple[int, ...]] = field(default_factory=list)
    read_as: dict[str, str] = field(default_factory=dict)
    second: float = 0.0

    def __post_init__(self) -> None:
        self._reader = PartReader(self._read)

    def _read(self, frame: Frame, /) -> Reading:
        self.shapes.append(frame.pixels.shape)
        found = reading_of_part(frame, self.pixels, self.lying)
        misread = [replace(one, face=Face.parse(self.read_as.get(str(one.face), str(one.face)))) for one in found.cards]
        return replace(found, cards=tuple(misread))

    def look(self, zones: Sequence[Zone] = ()) -> list[str]:
        """The faces that are known after one more still."""
        self.second += 0.5
        self.pixels = picture(self.lying)
        found, _ = self._reader.read(self.pixels, self.second, zones)
        return [str(card.face) for card in found.cards]


def watched(cards: list[SeenCard]) -> Table:
    """A table that was looked at for a while, so that all of it is known."""
    table = Table(cards)
    for _ in range(LOOKS + 1):
        table.look()
    table.shapes.clear()
    return table


def test_what_changed_is_read_and_the_rest_is_kept() -> None:
    table = watched([*LEFT, *RIGHT])
    table.lying, table.read_as = [*MORE, *RIGHT], {"KH": "QH"}
    assert sorted(table.look()) == sorted(["8H", "8C", "8D", "8S", "KH", "KC", "KD"])
    assert len(table.shapes) == 1 and table.shapes[0][0] * table.shapes[0][1] < 720 * 1280 / 4


def test_a_card_in_a_part_lies_where_it_lies_in_the_picture() -> None:
    table = watched([*LEFT, *RIGHT])
    table.lying, table.second, table.pixels = [*MORE, *RIGHT], table.second + 1, picture([*MORE, *RIGHT])
    found, parts = table._reader.read(table.pixels, table.second)
    assert {card.quad for card in found.cards} == {card.quad for card in table.lying}
    assert all(left <= 100 and top <= 100 and right >= 140 and bottom >= 198 for left, top, right, bottom in parts)


def test_a_card_at_the_edge_of_a_part_that_is_read_as_another_suit_is_one_card() -> None:
    table = watched([*LEFT, *RIGHT])
    table.lying, table.second, table.pixels = [*MORE, *RIGHT], table.second + 1, picture([*MORE, *RIGHT])
    _, ((_, _, edge, _),) = table._reader.read(table.pixels, table.second)
    cut, misread = card("6D", edge - WIDTH + 1, 120), card("6H", edge - WIDTH - 1, 120)
    table = watched([*LEFT, cut, *RIGHT])
    table.lying, table.second = [*MORE, misread, *RIGHT], table.second + 1
    table.pixels = picture([*MORE, cut, *RIGHT])
    found, _ = table._reader.read(table.pixels, table.second)
    assert [str(one.face) for one in found.cards if one.face.rank == "6"] == ["6D"]


def test_the_index_of_a_card_at_the_edge_of_a_part_makes_no_second_card() -> None:
    table = watched([*LEFT, *RIGHT])
    table.lying, table.second, table.pixels = [*MORE, *RIGHT], table.second + 1, picture([*MORE, *RIGHT])
    _, ((_, _, edge, _),) = table._reader.read(table.pixels, table.second)
    cut = card("6D", edge - 12, 120)
    index = replace(cut.corners[0], box=(edge - 11.0, 122.0, edge - 3.0, 134.0))
    cut = replace(cut, corners=(index,))
    turned_over = replace(card("6D", edge - 2 - WIDTH, 120), corners=(index,))
    table = watched([*LEFT, cut, *RIGHT])
    table.lying, table.second = [*MORE, turned_over, *RIGHT], table.second + 1
    table.pixels = picture([*MORE, cut, *RIGHT])
    found, _ = table._reader.read(table.pixels, table.second)
    assert [one.quad for one in found.cards if one.face.rank == "6"] == [cut.quad]


def test_a_card_that_was_taken_is_known_no_more() -> None:
    table = watched([*MORE, *RIGHT])
    table.lying = [*LEFT, *RIGHT]
    assert "8S" not in table.look()


def test_each_change_is_looked_at_some_times_and_then_no_more() -> None:
    table = watched([*LEFT, *RIGHT])
    table.lying = [*MORE, *RIGHT]
    for _ in range(LOOKS + 2):
        table.look()
    assert len(table.shapes) == LOOKS


def test_what_changes_outside_the_zones_is_not_read() -> None:
    table = watched([*LEFT, *RIGHT])
    table.lying = [*MORE, *RIGHT]
    table.look([[(800, 0), (1280, 0), (1280, 720), (800, 720)]])
    assert not table.shapes
    table.look([[(0, 0), (800, 0), (800, 720), (0, 720)]])
    assert len(table.shapes) == 1


def test_a_moved_camera_has_all_of_it_read_and_so_has_time() -> None:
    spread = [card for x in range(20, 1240, 90) for y in (20, 160, 300, 440, 580) for card in column("8H 8C 8D", x, y)]
    table = watched(spread)
    table.lying = [replace(one, quad=tuple((x + 5, y + 4) for x, y in one.quad)) for one in spread]  # type: ignore[arg-type]
    table.look()
    assert table.shapes == [WHOLE]
    table = watched([*LEFT, *RIGHT])
    table.second += WHOLE_EVERY
    table.look()
    assert table.shapes == [WHOLE]
