"""Other names of people in an archive."""

from __future__ import annotations

import sqlite3

from pydantic import ValidationError, model_validator

from scorer.data import Frozen
from webui.storage.backup.checks.values import Id, Name, Stamp
from webui.wording import name_key


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


def remove_invalid_names(new: sqlite3.Connection) -> None:
    """Removes the other names of a copy that are not valid; the people count by themselves then."""
    for row in new.execute("SELECT * FROM other_names").fetchall():
        try:
            ArchivedOtherName.model_validate(dict(row))
        except (ValidationError, ValueError, TypeError):
            new.execute("DELETE FROM other_names WHERE id = ?", (row["id"],))
