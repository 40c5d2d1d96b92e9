"""Small data and policies for tests of the queryable database."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa

import tacita as tc
from tacita.core.errors import TacitaWarning
from tacita.core.keyed import Key
from tacita.data.microdata import Microdata
from tacita.query.cutpoints.given import Given
from tacita.query.database import Database
from tacita.query.journal.memory import MemoryJournal
from tacita.query.policy.policy import Policy
from tacita.query.question import Question, understand
from tacita.query.requests.request import QueryRequest
from tacita.query.restrictions.restriction import Restriction, Ruling

__all__ = [
    "EVERY_KIND",
    "KEY",
    "PAPER_BINS",
    "asked",
    "fresh",
    "judged",
    "opened",
    "opened_paper",
    "paper_table",
    "people",
    "policy_of",
    "ring",
    "survey",
]

KEY = b"the key of these tests, 32 bytes"
EVERY_KIND = ("tabulate", "regress", "correlate", "quantiles", "statistic", "residuals")
PAPER_BINS = ("up to 28000", "28001 to 39000", "39001 to 45000", "above 45000")
"""The bins of income in Tables 1 and 2 of Lucero et al. (2011)."""


@cache
def survey(n: int = 2000) -> Microdata:
    """The household survey that comes with the package."""
    return tc.samples.household_survey(n, seed=1)


def people(counts: Mapping[tuple[str, ...], int], names: Sequence[str], **columns: Any) -> Microdata:
    """Make as many records of each combination of classes as told, with a wage that is different for each."""
    rows = [classes for classes, count in counts.items() for _ in range(count)]
    made: dict[str, Any] = {name: pa.array([row[i] for row in rows], pa.string()) for i, name in enumerate(names)}
    made["wage"] = pa.array(np.round(1000 + 37.0 * np.arange(len(rows)) ** 1.1, 2))
    made |= {name: pa.array(values) for name, values in columns.items()}
    return Microdata.from_frame(pa.table(made), keys=list(names), confidential=["wage"])


def paper_table(male: Sequence[int], female: Sequence[int]) -> Microdata:
    """Make records whose table of gender by income has these counts, as Tables 1 and 2 have n(1,1) to n(2,4)."""
    values = (20_000, 30_000, 40_000, 50_000)
    income = [v for row in (male, female) for v, count in zip(values, row, strict=True) for _ in range(count)]
    gender = ["male"] * sum(male) + ["female"] * sum(female)
    table = pa.table({"gender": pa.array(gender, pa.string()), "income": pa.array(income, pa.int64())})
    return Microdata.from_frame(table, keys=["gender"], scales={"income": "numeric"})


def ring(n: int = 60) -> Microdata:
    """Make records that each have a class of their own, so that every set of records is a universe."""
    counts = {(f"r{i:02d}", "f" if i % 2 else "m", f"b{i // 10}"): 1 for i in range(n)}
    return people(counts, ("who", "sex", "block"))


def policy_of(*restrictions: Restriction, requests: Sequence[str] = EVERY_KIND, **settings: Any) -> Policy:
    """Make a policy of some restrictions; what is no part of a policy is one of its settings."""
    own = ("name", "strata", "identities", "standard_errors")
    parts = {word: part for word, part in settings.items() if word not in own}
    chosen = {word: value for word, value in settings.items() if word in own}
    return Policy(requests=tuple(requests), restrictions=restrictions, parts=parts, **chosen)


def opened(data: Any, policy: Policy | str, **options: Any) -> Database:
    """Open data; that bins are fine or strata are missing is tested elsewhere."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TacitaWarning)
        return tc.query.open(data, policy=policy, **{"key": KEY, **options})


def fresh(db: Database) -> Database:
    """Return a database of the same version and policy that was asked nothing."""
    return Database(db.version, db.policy, MemoryJournal(key=KEY), key=Key(KEY))


def opened_paper(male: Sequence[int], female: Sequence[int], *restrictions: Restriction) -> Database:
    """Open the records of the paper's tables, with the paper's cutpoints."""
    cuts = {"income": Given(edges=(28_000, 39_000, 45_000), whole=True)}
    return opened(paper_table(male, female), policy_of(*restrictions), cutpoints=cuts)


def asked(db: Database, request: QueryRequest, *, user: str = "", now: float = 0.0) -> Question:
    """Return a question as restrictions see it."""
    return understand(request, db.version, db.policy, db.history, user, now)


def judged(restriction: Restriction, db: Database, request: QueryRequest, **who: Any) -> Ruling:
    """Return what a restriction says about a request."""
    return restriction.judge(asked(db, request, **who))
