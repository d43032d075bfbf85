"""What was detected in the photos of rounds, kept so that agreed rounds teach what the cards look like here."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from webui.storage.files.atomic_files import replace_file
from webui.storage.files.deck_files import DECKS, LOOKS

MOST_ROUNDS = 500
"""Of so many rounds it is kept; those that began first go first."""
_NAME = re.compile(r"(?P<round>[0-9]{1,10})-(?P<photo>[0-9a-f]{32})\.npz")


class LookFiles:
    """The folder ``looks`` of the data folder: a file for each photo, named by the id of its round and by its hash.

    They stay when the photos grow old, and go when somebody has their round forgotten. No backup or export has them.
    What came with a deck lies in the folder of the deck.
    """

    def __init__(self, data_dir: Path) -> None:
        self.folder = data_dir / "looks"
        self._decks = data_dir / DECKS

    def with_deck(self, id: str) -> Path:
        """The file with what rounds taught of a deck's cards on the computer that it came from; it may not be there."""
        return self._decks / id / LOOKS

    def keep(self, round_id: int, photo: str, data: bytes) -> None:
        """Keeps the ``data`` of a photo by its file name.

        Raises:
            OSError: the disk does not take it.
        """
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        replace_file(self.folder / f"{round_id}-{Path(photo).stem}.npz", data)
        self.forget(sorted(self.by_round())[:-MOST_ROUNDS])

    def by_round(self) -> dict[int, dict[str, Path]]:
        """The files of each round by the hash of their photo."""
        found: dict[int, dict[str, Path]] = defaultdict(dict)
        with suppress(OSError):  # it is not there, or damaged
            for path in self.folder.iterdir():
                if name := _NAME.fullmatch(path.name):
                    found[int(name["round"])][name["photo"]] = path
        return dict(found)

    def forget(self, rounds: Collection[int]) -> None:
        """Removes what is kept of some rounds.

        Raises:
            OSError: a file cannot be removed.
        """
        files = self.by_round() if rounds else {}
        for path in (path for round_id in rounds for path in files.get(round_id, {}).values()):
            path.unlink(missing_ok=True)
