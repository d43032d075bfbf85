"""Every doubt code has a sentence for the page."""

from __future__ import annotations

import json

import pytest

from vision.doubts import Doubt
from webui.wording import card_doubt, group_doubt


@pytest.mark.parametrize("code", list(Doubt))
def test_every_doubt_code_has_a_sentence(code: Doubt) -> None:
    assert not all(sentence_of(code).startswith("Please look at") for sentence_of in (card_doubt, group_doubt))


def test_codes_are_plain_text_in_json_and_in_sentences() -> None:
    assert json.dumps({"doubt": Doubt.LOW_CONFIDENCE}) == '{"doubt": "low-confidence"}'
