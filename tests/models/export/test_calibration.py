"""How sure a name is and how sure a card is are fitted apart."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra train is not installed")
pytest.importorskip("sklearn", reason="the extra train is not installed")

from models.export import calibration
from vision.rescore.relations import Certainty, Relations


def triple(weights: object) -> Certainty:
    a, b, c = np.asarray(weights, float).tolist()
    return a, b, c


def test_two_clear_indices_make_a_card_sure_and_not_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    rng, count = np.random.default_rng(0), 6000
    p_rank, p_keep, several = rng.uniform(0.1, 1, count), rng.uniform(0.6, 1, count), rng.integers(1, 3, count)
    there = rng.random(count) < np.where(several > 1, 0.999, p_keep)
    right = there & (rng.random(count) < p_rank)
    evidences = list(zip(p_rank.tolist(), p_keep.tolist(), several.tolist(), strict=True))
    monkeypatch.setattr(calibration, "_judged", lambda tables: (evidences, right.tolist(), there.tolist()))
    fitted = calibration.fit_certainties([])
    relations = Relations(None, triple(fitted["name"]), triple(fitted["there"]))
    assert relations.there_confidence(0.8, 2) > 0.99 and relations.there_confidence(0.7, 1) == pytest.approx(
        0.7, abs=0.1
    )
    for share in (0.3, 0.5, 0.9):
        assert relations.name_confidence(share, 1) == pytest.approx(share, abs=0.07)


def test_nothing_read_is_no_trouble() -> None:
    assert calibration.fit_certainties([]) == {"name": (0, 0, 0), "there": (0, 0, 0)}
