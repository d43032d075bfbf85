"""Names as they are kept: one spelling of what looks the same, without what cannot be seen, cut at whole signs."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webui.wording import MAX_NAME, cut, name_key, tidy

ZWJ, ZWNJ, EMOJI, TEXT = "\u200d", "\u200c", "\ufe0f", "\ufe0e"
HARD = f"aÁé\u0301 {ZWJ}{ZWNJ}{EMOJI}{TEXT}👩🏽🚀\u0645\u06cc\u094d\u0905葛\u034f\U000e0100🇫1\u20e3"
"""Signs that are put together with others, or are not seen."""
FAMILY = f"👨{ZWJ}👩{ZWJ}👧"


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Jose\u0301", "José"),
        (f"Ann{ZWJ}", "Ann"),
        (f"A{ZWNJ}nn", "Ann"),
        (f"{ZWJ}Ann", "Ann"),
        (f"Ann{EMOJI}", "Ann"),
        ("Ann\u3164", "Ann"),
        ("\u2800", ""),
        ("Bo\u00ad\u200b\u2060b", "Bob"),
        ("Ann \u200b Lee", "Ann Lee"),
        (" Ann\t\nLee ", "Ann Lee"),
        ("a\u034f\u0301", "á"),
    ],
)
def test_what_looks_the_same_is_kept_in_one_spelling(typed: str, kept: str) -> None:
    assert tidy(typed) == kept


@pytest.mark.parametrize(
    "name",
    [
        f"\u0645\u06cc{ZWNJ}\u062e\u0648\u0627\u0647\u0645",
        f"\u0905\u0928\u093f\u0932\u094d{ZWJ}\u092f",
        FAMILY,
        f"❤{EMOJI}",
        f"1{EMOJI}\u20e3",
        f"👩🏽{ZWJ}🚀",
        "葛\U000e0100",
        "🇫🇷",
        "Ann-Marie O’Neil",
    ],
)
def test_joiners_stay_where_they_join(name: str) -> None:
    assert tidy(name) == name


def test_two_joiners_between_letters_are_one() -> None:
    assert tidy(f"\u0645\u06cc{ZWNJ}{ZWNJ}\u062e") == f"\u0645\u06cc{ZWNJ}\u062e"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("A" * 39 + FAMILY, "A" * 39),
        ("A" * 40 + "\u0323", "A" * 39),  # no composed form: letter and dot are one sign
        ("A" * 38 + "🇫🇷🇩🇪", "A" * 38 + "🇫🇷"),
        ("A" * 39 + " Lee", "A" * 39),
        ("A" + "\u0301" * 60, "A" + "\u0301" * 39),
    ],
)
def test_a_long_name_is_cut_between_signs(text: str, kept: str) -> None:
    assert cut(text, MAX_NAME) == kept


@given(st.text(st.sampled_from(HARD), max_size=60))
def test_a_name_that_is_kept_stays_as_it_is(typed: str) -> None:
    name = tidy(typed)
    assert tidy(name) == name and len(name) <= MAX_NAME
    assert unicodedata.is_normalized("NFC", name) and name == name.strip()


@given(st.text(max_size=9))
def test_the_spelling_does_not_make_another_person(typed: str) -> None:
    spellings = [unicodedata.normalize(form, typed) for form in ("NFC", "NFD")]
    assert len({tidy(spelling) for spelling in spellings}) == 1
    assert len({name_key(spelling) for spelling in spellings}) == 1


def test_capitals_and_joiners_make_no_other_person() -> None:
    assert name_key("JOSE\u0301") == name_key("josé") == name_key(f"jos{ZWJ}é")
    assert name_key("Ann") != name_key("Anna")
