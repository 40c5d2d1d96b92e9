"""A canary: values that only the data have are in no answer, hint, repr, error or line of the journal."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tacita.core.errors import DataError, TacitaError
from tacita.data.microdata import Microdata
from tacita.query.catalogue import Catalogue, Variable
from tacita.query.requests import Correlate, Quantiles, Regress, Residuals, Statistic, Tabulate
from tests.query.builders import asked, opened
from tests.query.test_bad_input import BAD

WORD, NUMBER = "canary-zeisig", 48_151_623.42
SHOWN = ("zeisig", "48151623", "4.8151623", "48,151,623", "48 151 623")


def _data() -> Microdata:
    """A survey in which one record has a name, a household and an income that nobody else has."""
    rng = np.random.default_rng(4)
    n = 400
    income = np.round(rng.lognormal(10, 0.5, n), 2)
    income[7] = NUMBER
    names = [f"person-{i}" for i in range(n)]
    names[7] = WORD
    table = pa.table(
        {
            "name": names,
            "house": [WORD if i == 7 else f"h{i // 2}" for i in range(n)],
            "sex": pa.array(rng.choice(["f", "m"], n)),
            "region": pa.array(rng.choice(["north", "south", "west"], n)),
            "age": pa.array(rng.integers(18, 90, n)),
            "income": income,
            "rent": np.round(income * 0.3 + rng.normal(0, 50, n), 2),
        }
    )
    return Microdata.from_frame(
        table, identifiers=["name"], household="house", keys=["sex", "region", "age"], confidential=["income", "rent"]
    )


REQUESTS: list[Any] = [
    Tabulate(by=["sex", "region"]),
    Tabulate(by=["sex"], response="income", statistic="mean"),
    Tabulate(by=["sex"], unit="households"),
    Regress(response="income", predictors=["age", "sex"]),
    Regress(response="rent", predictors=["income"]),
    Residuals(response="rent", predictors=["age"]),
    Correlate(columns=["income", "rent"]),
    Quantiles(response="income"),
    Statistic(response="income", statistic="maximum"),
    Statistic(response="income", statistic="count_above", above=1e7),
    Statistic(response="income", statistic="quantile", level=0.9999),
    Tabulate(by=["name"]),
    Tabulate(by=["sex"], where={"house": "h3"}),
    Tabulate(by=["sex"], where={"income": "above 1"}),
    *(request for request, _ in BAD.values()),
]


@pytest.mark.parametrize("policy", ["mas", "tables", "audited", "camouflage", "internal", "dp"])
def test_nothing_that_leaves_holds_the_canary(tmp_path: Path, policy: str) -> None:
    db = opened(_data(), policy, journal=tmp_path / "journal.jsonl")
    left = [repr(db), repr(db.catalogue), repr(db.history), repr(db.version)]
    for request in REQUESTS:
        answer = db.ask(request, user="eve")
        left += [answer.to_json(), repr(answer), str(db.explain(request).to_plain())]
        try:
            question = asked(db, request)
            left += [repr(question), repr(question.members)]
        except (TacitaError, AttributeError) as error:
            left += ["".join(traceback.format_exception(error))]
    left.append((tmp_path / "journal.jsonl").read_text(encoding="utf-8"))
    left.append(db.catalogue.to_toml())
    for text in left:
        assert not [word for word in SHOWN if word in text.replace(",", "")], text[:300]


def test_the_canary_would_be_seen() -> None:
    """An exact mean of the one record has it."""
    data = _data()
    db = opened(data, "internal")
    found = Statistic(response="income", statistic="maximum")
    loose = db.policy.restrictions
    object.__setattr__(db.policy, "restrictions", tuple(r for r in loose if r.name != "single_values"))
    assert any(word in db.ask(found).to_json() for word in SHOWN)


def test_errors_of_opening_have_no_value() -> None:
    data = _data()
    draft = opened(data, "internal").catalogue
    shorter = Catalogue((Variable(name="region", classes=("north", "south"), uses=("table",)), draft["sex"]))
    canary = data.with_column("region", pa.array([WORD] * len(data)))
    for source in (data, canary):
        with pytest.raises(DataError, match="'region' has values that are in no class") as caught:
            opened(source, "internal", catalogue=shorter)
        assert not [word for word in (*SHOWN, "west") if word in str(caught.value)]
