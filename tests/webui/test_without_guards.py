"""Every guard can be taken out by ``tests.webui.without_guards``, and a handful of them make a test fail then."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from tests.webui.guards import GUARDS
from tests.webui.without_guards import QUICK, ROOT, copied_tree, fails_without, problems


def test_every_guard_stands_where_it_is_looked_for() -> None:
    assert problems() == []
    assert len({guard.name for guard in GUARDS}) == len(GUARDS) > 50


@pytest.mark.parametrize(
    "change",
    [{"code": "no such code"}, {"code": "import"}, {"file": "webui/nowhere.py"}, {"select": "no_such"}, {"tests": "x"}],
    ids=lambda change: " ".join(change),
)
def test_a_guard_that_has_moved_is_reported(change: dict[str, Any]) -> None:
    guard = next(guard for guard in GUARDS if guard.select)
    assert list(guard.problems(ROOT)) == []
    assert len(list(dataclasses.replace(guard, **change).problems(ROOT))) == 1


@pytest.mark.by_hand
def test_tests_fail_without_a_few_guards_and_pass_without_none() -> None:
    """All guards take many minutes: ``python -m tests.webui.without_guards``."""
    few = [guard for guard in GUARDS if guard.name in QUICK]
    assert len(few) == len(QUICK)
    with copied_tree() as tree:
        assert [guard.name for guard in few if not fails_without(guard, tree)] == []
        unchanged = dataclasses.replace(few[0], replacement=few[0].code)
        assert not fails_without(unchanged, tree)
        assert (Path(tree) / few[0].file).read_bytes() == (ROOT / few[0].file).read_bytes()
