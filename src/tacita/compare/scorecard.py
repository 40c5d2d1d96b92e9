"""Scorecard: every measure of one release, by name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pyarrow as pa

from tacita.compare.before_after import BesideRow, risk_beside
from tacita.compare.parts import CountedPart
from tacita.compare.score import Score, as_score
from tacita.core.arrays import FloatArray
from tacita.core.errors import MeasureError, did_you_mean
from tacita.core.views import view
from tacita.data.frames import frame_from_arrow
from tacita.data.measure import Measure, Measured
from tacita.data.microdata import Microdata
from tacita.data.pairing import absent_columns, banded_columns, misfit_columns
from tacita.data.scenario import Scenario
from tacita.release.traces import weight_trace
from tacita.risk.strongest import AttackedMeasured, StrongestAttack, strongest_of

__all__ = ["Scorecard", "quoted_names"]

_OWNER = re.compile(r"^[A-Z]\w+: ")
PAIRING_WORDS = {
    "link": "each masked record with the original it came from",
    "order": "by row order, as asked",
    "nearest": "each masked record with its nearest original (primed measures)",
}
SYNTHETIC_WORDS = (
    "with none, as they are synthetic and come from nobody (measures of pairs, where asked for, take the nearest)"
)


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
    scoring
        How the score is made of the measures.
    scenario
        What the intruder of the risks knows, where they were asked for by name.
    """

    original: Microdata
    masked: Microdata
    results: Mapping[str, tuple[Measure, Measured]]
    skipped: Mapping[str, str]
    pairing: str
    scoring: Score = field(default_factory=lambda: as_score(None))
    scenario: Scenario = field(default_factory=Scenario)

    def __getitem__(self, name: str) -> float:
        return self.measured(name).value

    def __contains__(self, name: object) -> bool:
        return name in self.results

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
    def strongest(self) -> StrongestAttack | None:
        """The attack that identifies most records: its name, value, what counts and what the intruder knows.

        Of the attacks of the measure ``strongest`` where the card has it, otherwise of the risks on the card that identify
        records; None where there is neither.
        """
        found = self.results.get("strongest", (None, None))[1]
        if isinstance(found, AttackedMeasured):
            return found.attacks[0].attack
        known = [
            strongest_of(measure, result) for measure, result in self.results.values() if measure.traits.identifies
        ]
        return max(known, key=lambda attack: attack.upper, default=None)

    @property
    def attacks(self) -> tuple[StrongestAttack, ...]:
        """Every attack that was run for the measure ``strongest``, the strongest first."""
        found = self.results.get("strongest", (None, None))[1]
        return tuple(run.attack for run in found.attacks) if isinstance(found, AttackedMeasured) else ()

    @property
    def pairing_words(self) -> str:
        """How records were paired, in words."""
        return SYNTHETIC_WORDS if self.is_synthetic else PAIRING_WORDS[self.pairing]

    @property
    def is_synthetic(self) -> bool:
        """Whether the records come from nobody, so that none has an original."""
        return self.masked.is_synthetic and self.pairing == "nearest"

    @property
    def scenario_words(self) -> str:
        """What the intruder knows, in words."""
        return self.scenario.words(self.original.schema)

    @cached_property
    def beside(self) -> tuple[BesideRow, ...]:
        """The risk that keys carry in the original and in the masked file, side by side."""
        return risk_beside(self.original, self.masked, self.scenario)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the reader must know of the whole card: columns of the original that were not compared."""
        absent, misfits = absent_columns(self.original, self.masked), misfit_columns(self.original, self.masked)
        banded = () if self.pairing == "nearest" else banded_columns(self.original, self.masked)
        misfits = tuple(name for name in misfits if name not in banded)
        notes = []
        if absent:
            notes.append(
                f"{_counted(absent)} of the original not in the masked file, so not compared: {quoted_names(absent)}."
            )
        if banded:
            notes.append(
                f"{_counted(banded)} of numbers recoded into categories: {quoted_names(banded)}. As numbers they are taken at "
                "the middle of each category, and 'open_range' says how much a category leaves open."
            )
        if misfits:
            notes.append(
                f"{_counted(misfits)} numeric in one file only (recoded, or read with another schema), so not compared "
                f"as numbers or as categories: {quoted_names(misfits)}."
            )
        return tuple(notes)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What the file carries beside the measured columns: how far its weight singles out records."""
        trace = weight_trace(self.original, self.masked)
        return () if trace is None else (str(trace),)

    @property
    def score(self) -> float | None:
        """The score, lower is better; None where a part of it was not computed, and :attr:`score_note` says why.

        By default ``0.5 IL + 0.25 STRONGEST + 0.25 RID``. No score does justice to all methods: read it beside its parts,
        :meth:`score_parts`, whose points add up to it.
        """
        return None if self.score_note else self.scoring.of(self)

    @property
    def score_note(self) -> str:
        """Why there is no score; empty where there is one."""
        lacking = self.scoring.missing(self)
        if not lacking:
            try:
                self.scoring.of(self)
            except MeasureError as error:
                return f"There is no score: {error}"
            return ""
        reason = self.skipped.get(lacking[0], "it was not among the measures that were asked for.")
        return f"There is no score: it needs '{lacking[0]}', which was not computed: {reason}"

    @property
    def reasons(self) -> dict[str, list[str]]:
        """Why measures were not computed, each reason once, the one of most measures first, with their names."""
        found: dict[str, list[str]] = {}
        for name, reason in self.skipped.items():
            found.setdefault(_OWNER.sub("", reason), []).append(name)
        return dict(sorted(found.items(), key=lambda entry: -len(entry[1])))

    def score_parts(self) -> tuple[CountedPart, ...]:
        """Return what each measure brings to the score; the points add up to it.

        Raises
        ------
        MeasureError
            When there is no score; the message says which part is missing and why.
        """
        if self.score_note:
            raise MeasureError(self.score_note)
        return self.scoring.count(self)

    def rows(self) -> list[dict[str, Any]]:
        """Return one table row for each measure, ready for JSON."""
        return [
            {
                "measure": name,
                "title": measure.title,
                "kind": measure.kind,
                "value": result.value,
                "unit": measure.traits.unit,
                "better": measure.traits.better,
                "what": measure.summary(),
                "parts": dict(result.parts),
                "part_units": {part: measure.unit_of_part(part) for part in result.parts},
                "note": result.note,
            }
            for name, (measure, result) in self.results.items()
        ]

    def as_plain(self) -> dict[str, Any]:
        """Return the card ready for JSON."""
        return {
            "records": {"original": len(self.original), "masked": len(self.masked)},
            "pairing": self.pairing,
            "synthetic": self.is_synthetic,
            "scenario": {**self.scenario.to_plain(), "words": self.scenario_words},
            "risk_before_and_after": [row.as_plain() for row in self.beside],
            "notes": list(self.notes),
            "remarks": list(self.remarks),
            "strongest": None if self.strongest is None else self.strongest.as_plain(),
            "attacks": [attack.as_plain() for attack in self.attacks],
            "measures": self.rows(),
            "skipped": dict(self.skipped),
            "score": self.score,
            "score_formula": self.scoring.formula(),
            "score_parts": [] if self.score_note else [part.as_plain() for part in self.score_parts()],
            "score_note": self.score_note,
        }

    def to_frame(self) -> Any:
        """Return measure, kind, value, unit and note as a frame of the kind that the original came from."""
        rows = [{k: row[k] for k in ("measure", "kind", "value", "unit", "note")} for row in self.rows()]
        table = pa.Table.from_pylist(rows, schema=_ROW_TYPES)
        return frame_from_arrow(table, self.original._frame_kind)

    def per_record(self, name: str) -> FloatArray:
        """Return the value of each paired masked record."""
        values = self.measured(name).per_record
        if values is None:
            raise MeasureError(f"The measure '{name}' has no value for single records.")
        return values

    def plot(self) -> Any:
        """Draw the card: an Altair chart of losses and risks."""
        return view("scorecard")(self)

    def _repr_html_(self) -> str:
        shown: str = view("notebook")(self)
        return shown

    def __repr__(self) -> str:
        shown = ", ".join(f"{name} {self[name]:.4g}" for name in self)
        score = "" if self.score is None else f"; score {self.score:.4g}"
        return f"Scorecard ({shown}{score})"


def quoted_names(names: Sequence[str], most: int = 30) -> str:
    """Return names of columns in a row, those beyond ``most`` as a number."""
    shown = ", ".join(f"'{name}'" for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def _counted(names: Sequence[str]) -> str:
    return "1 column" if len(names) == 1 else f"{len(names)} columns"


_ROW_TYPES = pa.schema(
    [
        ("measure", pa.string()),
        ("kind", pa.string()),
        ("value", pa.float64()),
        ("unit", pa.string()),
        ("note", pa.string()),
    ]
)
