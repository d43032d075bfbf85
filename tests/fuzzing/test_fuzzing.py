"""Random sheets, rule files, photos and requests to every route; longer with ``FUZZ_TIMES=50`` in the environment."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from tests.fuzzing.targets import (
    JSON,
    check_photo,
    check_rules,
    check_sheet,
    mutated_photos,
    mutated_rule_files,
    mutated_sheets,
    photo_files,
)
from vision.images.sandbox import Decoder

TIMES = int(os.environ.get("FUZZ_TIMES", "1"))
"""So many times as many examples as in a run of all tests."""
EXAMPLES = settings(max_examples=60 * TIMES, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def decoder() -> Iterator[Decoder]:
    made = Decoder()
    yield made
    made.close()


@EXAMPLES
@given(document=mutated_sheets() | JSON)
def test_any_sheet_is_scored_or_refused_with_a_sentence(document: Any) -> None:
    check_sheet(document)


@EXAMPLES
@given(text=mutated_rule_files())
def test_any_rule_file_is_read_or_refused_with_a_sentence(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    check_rules(text, tmp_path_factory.getbasetemp())


@EXAMPLES
@given(data=mutated_photos())
def test_any_photo_is_decoded_or_refused_with_a_sentence(data: bytes, decoder: Decoder) -> None:
    check_photo(decoder, data)


def test_the_photos_before_mutation_are_valid(decoder: Decoder) -> None:
    assert all(check_photo(decoder, data) for data in photo_files())


@pytest.mark.parametrize("unknown", [False, True])
def test_no_request_makes_the_page_fail(tmp_path: Path, unknown: bool) -> None:
    routes = pytest.importorskip("tests.fuzzing.routes", reason="schemathesis is not installed")
    statuses: Counter[int] = Counter()
    with routes.described_page(tmp_path, unknown) as page:
        checked = [
            routes.check_operation(operation, TIMES * (1 if unknown else 2), statuses)
            for operation in routes.operations(page)
        ]
    assert len(checked) > 80 and statuses[404 if unknown else 200] > 60, statuses
