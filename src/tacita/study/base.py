"""A study: an experiment of a paper run again, its numbers beside the paper's.

A study is one file with one function under the decorator :func:`study`, and one line in ``study/__init__.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

from tacita.core.errors import ParameterError, TacitaError, UnknownMethodError, did_you_mean
from tacita.core.streams import Seed, check_seed

__all__ = [
    "Study",
    "StudyFinding",
    "StudyOptions",
    "StudyResult",
    "StudyTable",
    "find_study",
    "replicate_notes",
    "studies",
    "study",
]


@dataclass(frozen=True)
class StudyOptions:
    """What a user can choose.

    Parameters
    ----------
    replicates
        How often the experiment is repeated with fresh random numbers.
    seed
        Makes the study repeatable.
    data
        Data to run on: paths of files or names of reference data; empty for the study's own choice.
    columns
        Columns of those files to use; empty for all numeric ones.
    output
        Directory for pictures and pages; None to write nothing.
    """

    replicates: int
    seed: Seed = 1
    data: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    output: Path | None = None

    def __post_init__(self) -> None:
        if isinstance(self.replicates, bool) or not isinstance(self.replicates, int) or self.replicates < 1:
            raise ParameterError(f"A study: 'replicates' must be a whole number, at least 1, got {self.replicates}.")
        check_seed(self.seed, owner="A study")


@dataclass(frozen=True)
class StudyFinding:
    """One number or range of a study.

    Parameters
    ----------
    quantity
        What was measured.
    setting
        On which data and with which method.
    ours
        One number, the ends of a range, or two numbers that stand beside each other.
    paper
        What the paper reports, in its own terms; empty where it is silent.
    required
        What this package promises to show; empty where it promises nothing.
    met
        Whether the promise holds in this run; None without one.
    unit
        Whether the numbers are plain, percentages or counts.
    is_range
        Whether several numbers are the ends of a range, and not each a number of its own.
    """

    quantity: str
    setting: str
    ours: tuple[float, ...]
    paper: str = ""
    required: str = ""
    met: bool | None = None
    unit: Literal["", "%", "count"] = ""
    is_range: bool = True

    def shown(self) -> str:
        """Return our number, range or pair as text: ``1 to 2`` for a range, ``1 and 2`` for a pair."""
        form = {"": "{:.4f}", "%": "{:.2f} %", "count": "{:.0f}"}[self.unit]
        return (" to " if self.is_range else " and ").join(form.format(value) for value in self.ours)


@dataclass(frozen=True)
class StudyTable:
    """A table of a study that has more columns than a number beside the paper's.

    Parameters
    ----------
    title
        What it shows.
    heads
        Names of the columns.
    rows
        The cells, as they are to be read.
    numbers
        Names of the columns that hold numbers.
    """

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[str, ...] = ()

    def as_plain(self) -> dict[str, Any]:
        """Return the table ready for JSON: one object for each row."""
        return {"title": self.title, "rows": [dict(zip(self.heads, row, strict=True)) for row in self.rows]}


@dataclass(frozen=True)
class StudyResult:
    """All findings of one run, remarks on how they were made, further tables, and the files that were written."""

    findings: tuple[StudyFinding, ...]
    notes: tuple[str, ...] = ()
    tables: tuple[StudyTable, ...] = ()
    files: tuple[Path, ...] = ()

    @property
    def kept_promises(self) -> bool:
        """Whether everything that is required holds."""
        return all(finding.met is not False for finding in self.findings)

    def as_plain(self) -> dict[str, Any]:
        """Return the result ready for JSON."""
        return {
            "findings": [{**asdict(finding), "ours": list(finding.ours)} for finding in self.findings],
            "notes": list(self.notes),
            "tables": [table.as_plain() for table in self.tables],
            "files": [str(path) for path in self.files],
            "kept_promises": self.kept_promises,
        }


@dataclass(frozen=True)
class Study:
    """An experiment that can be run by name."""

    name: str
    summary: str
    reference: str
    replicates: int
    body: Callable[[StudyOptions], StudyResult]
    takes_data: bool = False
    writes: bool = False

    @property
    def directory(self) -> Path | None:
        """The directory that the command line writes to by default; None for a study that writes nothing."""
        return Path(f"{self.name}-study") if self.writes else None

    def run(
        self,
        *,
        replicates: int | None = None,
        seed: Seed = 1,
        data: Sequence[str] = (),
        columns: Sequence[str] = (),
        output: str | Path | None = None,
    ) -> StudyResult:
        """Run the study.

        Parameters
        ----------
        replicates
            Repetitions; by default as many as the study was registered with.
        seed
            Makes the study repeatable.
        data, columns
            Files or names of reference data, and the columns to use; for studies that take data.
        output
            Directory for pictures and pages, made where it is not there; without it nothing is written.
        """
        if (data or columns) and not self.takes_data:
            raise ParameterError(f"The study '{self.name}' makes its own data; leave out 'data' and 'columns'.")
        if columns and not data:
            raise ParameterError(f"The study '{self.name}': 'columns' needs 'data', the file that has them.")
        if output is not None and not self.writes:
            raise ParameterError(f"The study '{self.name}' writes no files; leave out 'output'.")
        chosen = self.replicates if replicates is None else replicates
        place = None if output is None else Path(output)
        result = self.body(StudyOptions(chosen, seed, tuple(data), tuple(columns), place))
        further = [note for note in replicate_notes(chosen, self.replicates) if note not in result.notes]
        return replace(result, notes=(*result.notes, *further))


def replicate_notes(replicates: int, usual: int = 2) -> tuple[str, ...]:
    """Return what must be said where a study that is usually repeated was run once; nothing otherwise."""
    if replicates > 1 or usual < 2:
        return ()
    return (
        "One replicate only: what was drawn at random has no mean and no spread, so a judgement that rests on it may be chance. "
        "Run more replicates before you believe it.",
    )


_studies: dict[str, Study] = {}


def study(
    name: str, *, summary: str, reference: str, replicates: int, takes_data: bool = False, writes: bool = False
) -> Callable[[Callable[[StudyOptions], StudyResult]], Study]:
    """Enter a function as a study.

    Parameters
    ----------
    name
        What comes after ``tacita study``.
    summary
        One sentence.
    reference
        Author, year and section of the paper.
    replicates
        How many replicates the paper made, or how many give a stable mean where it does not say.
    takes_data
        Whether it runs on files that the user names.
    writes
        Whether it writes pictures or pages.
    """

    def enter(body: Callable[[StudyOptions], StudyResult]) -> Study:
        if name in _studies:
            raise TacitaError(f"Two studies are named '{name}'. Rename one.")
        _studies[name] = Study(name, summary, reference, replicates, body, takes_data, writes)
        return _studies[name]

    return enter


def studies() -> tuple[Study, ...]:
    """Return all studies, by name."""
    return tuple(_studies[name] for name in sorted(_studies))


def find_study(name: str) -> Study:
    """Return the study of that name; a near miss is suggested."""
    if name not in _studies:
        raise UnknownMethodError(
            f"There is no study named '{name}'.{did_you_mean(name, _studies)} There are: {', '.join(sorted(_studies))}."
        )
    return _studies[name]
