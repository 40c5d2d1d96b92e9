"""Scorecard: every measure of one release, by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tacita.core.errors import MeasureError, did_you_mean
from tacita.core.views import view
from tacita.data.frames import frame_from_arrow
from tacita.data.measure import Measure, Measured
from tacita.data.microdata import Microdata

__all__ = ["PAIRING_WORDS", "Scorecard"]

PAIRING_WORDS = {
    "link": "each masked record with the original it came from",
    "order": "by row order, as asked",
    "nearest": "each masked record with its nearest original (primed measures)",
}


@dataclass(frozen=True, eq=False)
class Scorecard(Mapping[str, float]):
    """The measures of one masked file against its original.

    ``card["il1s"]`` is the number; :meth:`measured` has the value of each record, the parts and the note.

    Parameters
    ----------
    original, masked
        The two files.
    results
        Each measure with its result.
    skipped
        Measures that could not be computed, with the reason.
    pairing
        How records were paired: ``link``, ``order`` or ``nearest``.
    """

    original: Microdata
    masked: Microdata
    results: Mapping[str, tuple[Measure, Measured]]
    skipped: Mapping[str, str]
    pairing: str

    def __getitem__(self, name: str) -> float:
        return self.measured(name).value

    def __iter__(self) -> Iterator[str]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    def measured(self, name: str) -> Measured:
        """Return the whole result of a measure."""
        if name in self.results:
            return self.results[name][1]
        if name in self.skipped:
            raise MeasureError(f"The measure '{name}' was not computed: {self.skipped[name]}")
        raise MeasureError(f"There is no measure '{name}' on this card.{did_you_mean(name, self.results)}")

    @property
    def score(self) -> float | None:
        """The score ``0.5 IL + 0.25 DLD + 0.25 RID``, lower is better; None where a part was not computed.

        This is Score' of the field (without probabilistic linkage, intervals by rank). No score does justice to all
        methods: read it beside its parts, which stand on the card.
        """
        if not all(name in self.results for name in SCORE_WEIGHTS):
            return None
        return sum(weight * self[name] for name, weight in SCORE_WEIGHTS.items())

    def rows(self) -> list[dict[str, Any]]:
        """Return one table row for each measure, ready for JSON."""
        return [
            {
                "measure": name,
                "kind": measure.kind,
                "value": result.value,
                "unit": measure.traits.unit,
                "better": measure.traits.better,
                "what": measure.summary(),
                "parts": dict(result.parts),
                "note": result.note,
            }
            for name, (measure, result) in self.results.items()
        ]

    def as_plain(self) -> dict[str, Any]:
        """Return the card ready for JSON."""
        return {
            "records": {"original": len(self.original), "masked": len(self.masked)},
            "pairing": self.pairing,
            "measures": self.rows(),
            "skipped": dict(self.skipped),
            "score": self.score,
        }

    def to_frame(self) -> Any:
        """Return measure, kind, value, unit and note as a frame of the kind that the original came from."""
        rows = [{k: row[k] for k in ("measure", "kind", "value", "unit", "note")} for row in self.rows()]
        table = pa.Table.from_pylist(rows, schema=_ROW_TYPES)
        return frame_from_arrow(table, self.original._frame_kind)

    def per_record(self, name: str) -> npt.NDArray[np.float64]:
        """Return the value of each paired masked record."""
        values = self.measured(name).per_record
        if values is None:
            raise MeasureError(f"The measure '{name}' has no value for single records.")
        return values

    def plot(self) -> Any:
        """Draw the card: an Altair chart of losses and risks."""
        return view("scorecard")(self)

    def __repr__(self) -> str:
        shown = ", ".join(f"{name} {self[name]:.4g}" for name in self)
        score = "" if self.score is None else f"; score {self.score:.4g}"
        return f"Scorecard ({shown}{score})"


SCORE_WEIGHTS = {"il": 0.5, "dld": 0.25, "rid": 0.25}

_ROW_TYPES = pa.schema(
    [
        ("measure", pa.string()),
        ("kind", pa.string()),
        ("value", pa.float64()),
        ("unit", pa.string()),
        ("note", pa.string()),
    ]
)
