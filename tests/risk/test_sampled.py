"""Sampling of very large files: which records are looked at, and how sure the result is."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from tacita.core.errors import ParameterError
from tacita.data.microdata import Microdata
from tacita.data.pairing import pair_records
from tacita.risk import AttributeDisclosure, DistanceLinkage, ProbabilisticLinkage, RankSwapLinkage
from tacita.risk import sampled as module


@pytest.fixture
def few_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sample above 300 records, so that a test need not wait for 100 000."""
    monkeypatch.setattr(module, "MANY", 300)


def files(n: int = 1200) -> tuple[Microdata, Microdata]:
    rng = np.random.default_rng(1)
    x = rng.normal(size=(n, 3))
    x[:, 2] = x[:, 0] + 0.3 * x[:, 2]
    original = Microdata.from_frame(pa.table({f"c{j}": x[:, j] for j in range(3)}))
    return original, original.with_numbers({f"c{j}": x[:, j] + 0.25 * rng.normal(size=n) for j in range(3)})


RISKS = [
    DistanceLinkage(sample=200),
    DistanceLinkage(sample=200, knows="first"),
    ProbabilisticLinkage(sample=200),
    RankSwapLinkage(sample=200, p=30),
    AttributeDisclosure(sample=200),
]


@pytest.mark.usefixtures("few_are_many")
@pytest.mark.parametrize("risk", RISKS, ids=lambda risk: f"{risk.name}-{getattr(risk, 'knows', '')}")
def test_a_sample_comes_with_its_interval_and_is_near_the_whole(risk: DistanceLinkage) -> None:
    original, masked = files()
    found = risk(original, masked)
    assert found.per_record is None
    low, high = found.parts["95 % interval from"], found.parts["95 % interval to"]
    assert low < found.value < high
    assert "a sample of 200 out of 1200 records" in found.note
    exact = type(risk)(**{**{p.name: getattr(risk, p.name) for p in risk.parameters()}, "exact": True})(
        original, masked
    )
    assert exact.per_record is not None
    assert len(exact.per_record) == 1200
    assert low - 3 <= exact.value <= high + 3
    assert risk(original, masked).value == found.value, "the same seed draws the same records"


@pytest.mark.usefixtures("few_are_many")
def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    original, masked = files()
    truth = DistanceLinkage(exact=True)(original, masked).value
    hits = 0
    for seed in range(60):
        parts = DistanceLinkage(sample=150, seed=seed)(original, masked).parts
        hits += parts["95 % interval from"] <= truth <= parts["95 % interval to"]
    assert hits >= 53, "95 % of 60 is 57; fewer than 53 has a chance below 2 %"


@pytest.mark.usefixtures("few_are_many")
def test_other_seeds_draw_other_records() -> None:
    pair = pair_records(*files())
    first, second = (DistanceLinkage(sample=200, seed=seed).chosen(pair) for seed in (0, 1))
    assert len(first) == len(set(first.tolist())) == 200
    assert first.tolist() != second.tolist()


@pytest.mark.usefixtures("few_are_many")
def test_small_parts_of_a_large_file_are_looked_at_in_full() -> None:
    original, masked = files()
    part = pair_records(original, masked).among(np.arange(1200) < 100)
    found = DistanceLinkage().of_pair(part)
    assert found.per_record is not None
    assert len(found.per_record) == 100


def test_up_to_100_000_records_are_looked_at_in_full() -> None:
    pair = pair_records(*files())
    assert DistanceLinkage(sample=10).chosen(pair).tolist() == list(range(1200))


@pytest.mark.parametrize("bad", [{"sample": 0}, {"sample": 1.5}, {"seed": -1}, {"exact": 1}])
def test_bad_parameters(bad: dict[str, object]) -> None:
    with pytest.raises(ParameterError, match=f"'{next(iter(bad))}' must be"):
        DistanceLinkage(**bad)  # type: ignore[arg-type]
