"""What is fixed for a data version: its catalogue, and everything that draws noise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tacita.core.errors import ParameterError
from tacita.query.catalogue import Catalogue
from tacita.query.cutpoints.partitioned import Partitioned
from tacita.query.fixed import NOISE_PARTS, version_facts
from tacita.query.noise.cell_key import CellKeyNoise
from tacita.query.noise.dp.privacy import DifferentialPrivacy
from tacita.query.noise.input_noise import AddedInput
from tacita.query.noise.magnitude_key import MagnitudeKey
from tacita.query.policy.parts import PARTS
from tacita.query.requests.tabulate import Tabulate
from tacita.query.residuals.settings import ResidualSettings
from tacita.query.restrictions import PrivacyBudget, SetSize, TableSize
from tacita.query.subsample.drop_q import DropQ
from tests.query.builders import opened, policy_of, survey

CUT = Partitioned(minimum=50)


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "journal.jsonl"


def _policy(**parts: Any) -> Any:
    rules = (PrivacyBudget(),) if "privacy" in parts else (TableSize(),)
    kinds = ("tabulate",) if parts.keys() & {"cells", "magnitudes", "privacy"} else ("tabulate", "residuals")
    return policy_of(*rules, requests=kinds, cutpoints=CUT, **parts)


CHANGES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "subsample": ({"subsample": DropQ(k=5)}, {"subsample": DropQ(k=6)}),
    "cells": ({"cells": CellKeyNoise(variance=3.0)}, {"cells": CellKeyNoise(variance=2.0)}),
    "magnitudes": (
        {"cells": CellKeyNoise(), "magnitudes": MagnitudeKey()},
        {"cells": CellKeyNoise(), "magnitudes": MagnitudeKey(multipliers=(0.7, 0.3))},
    ),
    "magnitudes that stood nowhere": (
        {"cells": CellKeyNoise()},
        {"cells": CellKeyNoise(), "magnitudes": MagnitudeKey(multipliers=(0.7, 0.3))},
    ),
    "input": ({"input": AddedInput(sd=5.0)}, {"input": AddedInput(sd=4.0)}),
    "residuals": ({}, {"residuals": ResidualSettings(sigma=0.8)}),
    "privacy": ({"privacy": DifferentialPrivacy(price=0.05)}, {"privacy": DifferentialPrivacy(price=0.01)}),
}


@pytest.mark.parametrize("what", CHANGES)
def test_other_noise_for_the_same_version_is_refused(journal: Path, what: str) -> None:
    before, after = CHANGES[what]
    opened(survey(), _policy(**before), journal=journal)
    entries = journal.read_bytes()
    with pytest.raises(ParameterError, match=rf"draws other noise than before.*{what.split(maxsplit=1)[0]}"):
        opened(survey(), _policy(**after), journal=journal)
    assert journal.read_bytes() == entries, "nothing is written then"
    opened(survey(), _policy(**before), journal=journal)


def test_another_catalogue_is_refused(journal: Path) -> None:
    first = opened(survey(), _policy(), journal=journal)
    with pytest.raises(ParameterError, match="The catalogue must be the one"):
        opened(survey(), _policy(), cutpoints=Partitioned(minimum=60), journal=journal)
    smaller = Catalogue(tuple(v for v in first.catalogue if v.name != "tax"))
    with pytest.raises(ParameterError, match="The catalogue must be the one"):
        opened(survey(), _policy(), catalogue=smaller, journal=journal)
    assert opened(survey(), _policy(), catalogue=first.catalogue, journal=journal).catalogue == first.catalogue


def test_other_strata_are_refused_where_records_are_dropped_within_them(journal: Path) -> None:
    dropping = policy_of(TableSize(), subsample=DropQ(), strata=("region",))
    opened(survey(), dropping, journal=journal)
    with pytest.raises(ParameterError, match="strata"):
        opened(survey(), policy_of(TableSize(), subsample=DropQ(), strata=("urban",)), journal=journal)
    opened(survey(), policy_of(TableSize(), strata=("urban",)), journal=journal)


def test_another_policy_without_noise_is_fine(journal: Path) -> None:
    opened(survey(), _policy(subsample=DropQ(k=5)), journal=journal)
    db = opened(survey(), policy_of(SetSize(k=4), cutpoints=CUT), journal=journal)
    assert db.ask(Tabulate(by=["sex"])).status == "answered"
    opened(survey(), _policy(cells=CellKeyNoise()), journal=journal)


def test_the_budget_may_be_given_more(journal: Path) -> None:
    opened(survey(), _policy(privacy=DifferentialPrivacy(budget=1.0)), journal=journal)
    db = opened(survey(), _policy(privacy=DifferentialPrivacy(budget=2.0)), journal=journal)
    assert db.policy.part("privacy").budget == 2.0


def test_another_version_of_the_data_is_free(journal: Path) -> None:
    opened(survey(), _policy(subsample=DropQ(k=5)), journal=journal)
    db = opened(survey(1900), _policy(subsample=DropQ(k=6)), journal=journal)
    assert len(db.version) == 1900


def test_every_part_that_draws_is_watched() -> None:
    """What does not draw from the key: how numbers are cut and which models are fitted."""
    assert set(PARTS) - set(NOISE_PARTS) == {"cutpoints", "models", "correlations"}


def test_facts_have_digests_and_no_setting() -> None:
    db = opened(survey(), _policy(subsample=DropQ(k=77)))
    facts = version_facts(db.version, db.policy)
    assert "77" not in str({**facts, "records": 0, "catalogue": "", "noise": dict.fromkeys(facts["noise"], "")})
    assert set(facts["noise"]) == {"subsample", "residuals"}
