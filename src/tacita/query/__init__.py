"""The queryable database as a library: statistics go out, records never.

In come records, a policy and requests; out come answers, refusals by the name of a rule, and a journal. A question
goes from policy to universe, to computation, protection, journal and answer. Read ``database.py`` first.
"""

from tacita.core.keyed import Key
from tacita.core.moved import when_used
from tacita.numeric.dropping.probability import disclosure_probability, probability_bounds
from tacita.query.answer import Answer
from tacita.query.catalogue import Catalogue, Variable
from tacita.query.database import Database, Explanation
from tacita.query.journal.journal import FileJournal
from tacita.query.opening import open_database as open
from tacita.query.policy import Policy, presets
from tacita.query.remote import RemoteDatabase, connect
from tacita.query.requests import (
    Correlate,
    Quantiles,
    QueryRequest,
    Regress,
    Residuals,
    Statistic,
    Tabulate,
    request_from_plain,
)
from tacita.query.restrictions import (
    AcrossVersions,
    CellSize,
    Combinations,
    ConfidentialUniverse,
    Decompositions,
    Differences,
    Overlap,
    PrivacyBudget,
    RelatedModels,
    Restriction,
    RowAudit,
    SetSize,
    SingleValues,
    SmallMarginals,
    Sparsity,
    SumAudit,
    TableSize,
    UniverseGamma,
    Waits,
)
from tacita.query.universe import Universe

__all__ = [
    "AcrossVersions",
    "Answer",
    "Catalogue",
    "CellSize",
    "Combinations",
    "ConfidentialUniverse",
    "Correlate",
    "Database",
    "Decompositions",
    "Differences",
    "Explanation",
    "FileJournal",
    "Key",
    "Overlap",
    "Policy",
    "PrivacyBudget",
    "Quantiles",
    "QueryRequest",
    "Regress",
    "RelatedModels",
    "RemoteDatabase",
    "Residuals",
    "Restriction",
    "RowAudit",
    "SetSize",
    "SingleValues",
    "SmallMarginals",
    "Sparsity",
    "Statistic",
    "SumAudit",
    "TableSize",
    "Tabulate",
    "Universe",
    "UniverseGamma",
    "Variable",
    "Waits",
    "connect",
    "disclosure_probability",
    "open",
    "presets",
    "probability_bounds",
    "request_from_plain",
]


_FOLDERS = ("cutpoints", "steward")
"""Folders of their own under the room, for stewards; they load when used."""


__getattr__ = when_used("tacita.query", _FOLDERS)


def __dir__() -> list[str]:
    return [*__all__, *_FOLDERS]
