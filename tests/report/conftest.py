"""A small survey with a planted extreme value and a rare category, masked and measured once for all tests."""

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc

CANARY = 987_654_321
RARE = "Canaryville"
P = 12.3456
SEED = 8_123_456_789_012_345


def planted_survey(n: int = 600) -> tc.Microdata:
    rng = np.random.default_rng(5)
    income = np.round(np.exp(rng.normal(9.5, 0.8, n)))
    income[17] = CANARY
    region = rng.choice(["North", "South", "East"], n).astype(object)
    region[17] = RARE
    savings = rng.normal(5000, 1500, n)
    savings[::25] = np.nan
    return tc.Microdata.from_frame(
        pa.table(
            {
                "name": [f"Person {i}" for i in range(n)],
                "age": rng.integers(16, 95, n),
                "region": region.tolist(),
                "income": income,
                "savings": savings,
            }
        ),
        identifiers=["name"],
        keys=["age", "region"],
        confidential=["income", "savings"],
    )


def swapped(data: tc.Microdata) -> tc.Release:
    # Rank swapping keeps every value in the file, so the canary is in the release too: the hard case for a report.
    return tc.Recipe([tc.mask.RankSwap(columns=("age", "income"), p=P)]).apply(data, seed=SEED)


@pytest.fixture(scope="package")
def survey() -> tc.Microdata:
    return planted_survey()


@pytest.fixture(scope="package")
def release(survey: tc.Microdata) -> tc.Release:
    return swapped(survey)


@pytest.fixture(scope="package")
def card(survey: tc.Microdata, release: tc.Release) -> tc.Scorecard:
    return tc.evaluate(survey, release)
