"""One guard: the code that guards, what replaces it to take it out, and the tests that must then fail."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Guard:
    """A guard and how it is taken out.

    Attributes:
        name: what it guards.
        file: the file it is in, from the root of the repository.
        code: its text, which stands there once.
        replacement: what takes its place.
        tests: the test file, or one test, that must fail without it.
        select: which tests of the file, as for ``pytest -k``; all if empty.
        second: another guard against the same that has to go too: file, code and replacement.
    """

    name: str
    file: str
    code: str
    replacement: str
    tests: str
    select: str = ""
    second: tuple[str, str, str] | None = None

    @property
    def edits(self) -> tuple[tuple[str, str, str], ...]:
        """File, code and replacement of each edit that takes the guard out."""
        first = (self.file, self.code, self.replacement)
        return (first, self.second) if self.second else (first,)

    def problems(self, root: Path) -> Iterator[str]:
        """Yields what is out of date: code that does not occur exactly once in the tree, or missing tests."""
        for file, code, _ in self.edits:
            path = root / file
            count = path.read_text(encoding="utf-8").count(code) if path.is_file() else 0
            if count != 1:
                yield f"{self.name}: expected {code!r} once in {file}, found it {count} times"
        file, _, test = self.tests.partition("::")
        path = root / file
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        words = [] if test else set(re.findall(r"\w+", self.select)) - {"and", "or", "not"}
        if not path.exists() or (path.is_file() and [word for word in (test, *words) if word not in text]):
            yield f"{self.name}: expected tests {self.select or test} in {file}, found none"
