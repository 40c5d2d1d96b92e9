"""Questions to the household survey, and its records as a frame."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from tacita.core.keyed import Key
from tacita.query.cutpoints.given import Given
from tacita.query.database import Database
from tacita.query.policy.policy import Policy
from tacita.query.question import Question
from tacita.query.requests.request import QueryRequest
from tacita.query.tables.cell_table import CellTable
from tests.query.builders import EVERY_KIND, asked, opened, policy_of, survey

__all__ = ["CUTS", "database", "frame_of", "named", "question", "values_by"]

CUTS = {
    "age": Given(edges=(17, 29, 44, 64), whole=True),
    "income": Given(edges=(0, 10_000, 20_000, 35_000, 60_000), whole=True),
}


@cache
def _survey_database(parts: tuple[tuple[str, Any], ...], records: int) -> Database:
    return opened(survey(records), _policy(dict(parts)), cutpoints=CUTS)


def _policy(parts: dict[str, Any]) -> Policy:
    """Everything may be asked for; of tables with noise, tables alone."""
    return policy_of(requests=("tabulate", "quantiles") if "cells" in parts else EVERY_KIND, **parts)


def database(
    data: Any = None, *, records: int = 2000, cutpoints: Any = CUTS, key: Key | None = None, **parts: Any
) -> Database:
    """Open the household survey, or other data, with some parts of a policy and no restrictions."""
    if data is None:
        return _survey_database(tuple(sorted(parts.items())), records)
    return opened(data, _policy(parts), cutpoints=cutpoints, **({} if key is None else {"key": key}))


def question(db: Database, request: QueryRequest) -> Question:
    """A question that is understood."""
    return asked(db, request)


@cache
def _frame(records: int) -> pd.DataFrame:
    frame = survey(records).to_arrow(codes=False).to_pandas()
    income = frame["income"].astype(float)
    frame["income"] = income.where(income != -9)
    frame["age_bin"] = pd.cut(frame["age"], [-np.inf, 17, 29, 44, 64, np.inf]).cat.codes
    return frame.sort_values("person_id").reset_index(drop=True)


def frame_of(records: int = 2000) -> pd.DataFrame:
    """The survey in the order of its identifiers, with missing incomes as such."""
    return _frame(records).copy()


def named(table: CellTable, values: Any = None) -> dict[tuple[str, ...], float]:
    """The cells of a table by their classes."""
    found = table.values if values is None else values
    return {
        tuple(table.classes[name][i] for name, i in zip(table.by, place, strict=True)): float(value)
        for place, value in np.ndenumerate(found)
    }


def values_by(frame: pd.DataFrame, by: list[str], value: Any) -> dict[tuple[str, ...], float]:
    """What pandas makes of each group, by the classes as texts."""
    groups = frame.groupby([frame[name].astype(str).where(frame[name].notna(), "(missing)") for name in by])
    return {key if isinstance(key, tuple) else (key,): float(value(group)) for key, group in groups}
