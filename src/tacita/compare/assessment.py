"""Assessment: the risk report of one file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from tacita.core.views import view
from tacita.core.vocabulary import MissingKeys
from tacita.data.frames import frame_from_arrow

__all__ = ["Assessment", "Combination", "Households"]


@dataclass(frozen=True)
class Combination:
    """A combination of key values, and how risky it is to have it.

    ``records`` have exactly these values; ``frequency`` counts those that match where keys are missing, and
    ``population`` the people that these stand for. ``risk`` is in percent. The values are not in the repr.
    """

    values: tuple[Any, ...] = field(repr=False)
    records: int
    frequency: float
    population: float
    risk: float


@dataclass(frozen=True)
class Households:
    """Risk of households: the column, the mean risk in percent, and the households expected to be found."""

    column: str
    risk: float
    expected: float


@dataclass(frozen=True, eq=False, kw_only=True)
class Assessment:
    """The disclosure risk of one file.

    Parameters
    ----------
    records, keys, patterns
        Number of records, the columns that an intruder may know, and the number of their distinct combinations.
    missing
        What a missing key matches.
    below
        For each k the number of records that share their combination with fewer than k, themselves included.
    population
        People that the file stands for: the sum of the weights.
    risk
        Mean individual risk in percent (the global risk).
    expected
        Expected number of re-identifications: the sum of the individual risks.
    largest_risk
        Largest individual risk in percent.
    riskiest
        The riskiest combinations, with their values: show them to nobody outside.
    contributions
        For each key the percentage of the SUDA score that comes from minimal sample uniques with it.
    msus
        Numbers of minimal sample uniques of 1, 2, 3, ... keys.
    households
        Risk of households, where the file has them.
    weight
        The column of sampling weights, where there is one.
    notes
        What the reader must know.
    frame_kind
        The kind of frame that :meth:`to_frame` gives.
    """

    records: int
    keys: tuple[str, ...]
    patterns: int
    missing: MissingKeys
    below: Mapping[int, int]
    population: float
    risk: float
    expected: float
    largest_risk: float
    riskiest: tuple[Combination, ...] = field(repr=False)
    contributions: Mapping[str, float]
    msus: tuple[int, ...]
    households: Households | None = None
    weight: str | None = None
    notes: tuple[str, ...] = ()
    frame_kind: str = field(default="pyarrow", repr=False)

    def facts(self) -> list[dict[str, Any]]:
        """Return one row for each number: what it is, its value, its unit and, for counts of records, the percentage."""
        rows = [
            _fact("records", self.records, "records"),
            _fact("combinations of key values", self.patterns, "combinations"),
            *(
                _fact(f"records below k = {k}", n, "records", percent=100 * n / self.records)
                for k, n in self.below.items()
            ),
            _fact("mean individual risk", self.risk, "%"),
            _fact("largest individual risk", self.largest_risk, "%"),
            _fact("expected re-identifications", self.expected, "records", percent=self.risk),
        ]
        if self.households is not None:
            rows.append(_fact("mean household risk", self.households.risk, "%"))
            rows.append(
                _fact("expected households found", self.households.expected, "households", percent=self.households.risk)
            )
        sizes = enumerate(self.msus, start=1)
        return rows + [
            _fact(f"minimal sample uniques of {k} key{'s' if k > 1 else ''}", n, "combinations") for k, n in sizes
        ]

    def as_plain(self) -> dict[str, Any]:
        """Return everything ready for JSON, the riskiest combinations with their values."""
        house = self.households
        return {
            "records": self.records,
            "keys": list(self.keys),
            "weight": self.weight,
            "missing": self.missing,
            "patterns": self.patterns,
            "below": {str(k): n for k, n in self.below.items()},
            "population": self.population,
            "risk": self.risk,
            "largest_risk": self.largest_risk,
            "expected_reidentifications": self.expected,
            "households": None
            if house is None
            else {"column": house.column, "risk": house.risk, "expected": house.expected},
            "riskiest": [
                {
                    "values": {name: _plain(value) for name, value in zip(self.keys, one.values, strict=True)},
                    "records": one.records,
                    "frequency": one.frequency,
                    "population": one.population,
                    "risk": one.risk,
                }
                for one in self.riskiest
            ],
            "suda_contributions": dict(self.contributions),
            "minimal_sample_uniques": list(self.msus),
            "notes": list(self.notes),
        }

    def to_frame(self) -> Any:
        """Return the facts as a frame of the kind that the data came from."""
        return frame_from_arrow(pa.Table.from_pylist(self.facts(), schema=_ROW_TYPES), self.frame_kind)

    def _repr_html_(self) -> str:
        shown: str = view("notebook")(self)
        return shown

    def __repr__(self) -> str:
        rare = ", ".join(f"{n} below {k}" for k, n in self.below.items())
        return (
            f"Assessment ({self.records} records, keys: {', '.join(self.keys)}; {rare}; "
            f"{self.expected:.4g} expected re-identifications)"
        )


def _fact(what: str, value: float, unit: str = "", *, percent: float | None = None) -> dict[str, Any]:
    return {"what": what, "value": float(value), "unit": unit, "percent": percent}


def _plain(value: Any) -> Any:
    return value if isinstance(value, bool | int | float | str | None) else str(value)


_ROW_TYPES = pa.schema(
    [("what", pa.string()), ("value", pa.float64()), ("unit", pa.string()), ("percent", pa.float64())]
)
