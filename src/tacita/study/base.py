"""A study: an experiment of a paper run again, its numbers beside the paper's.

A study is one file with one function under the decorator :func:`study`, and one line in ``study/__init__.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Literal

from tacita.core.errors import ParameterError, TacitaError, UnknownMethodError, did_you_mean
from tacita.core.streams import Seed, check_seed

__all__ = ["Finding", "Study", "StudyOptions", "StudyResult", "find_study", "studies", "study"]


@dataclass(frozen=True)
class StudyOptions:
    """What a user can choose.

    Parameters
    ----------
    replicates
        How often the experiment is repeated with fresh random data.
    seed
        Makes the study repeatable.
    """

    replicates: int
    seed: Seed = 1

    def __post_init__(self) -> None:
        if isinstance(self.replicates, bool) or not isinstance(self.replicates, int) or self.replicates < 1:
            raise ParameterError(f"A study: 'replicates' must be a whole number, at least 1, got {self.replicates}.")
        check_seed(self.seed, owner="A study")


@dataclass(frozen=True)
class Finding:
    """One number or range of a study.

    Parameters
    ----------
    quantity
        What was measured.
    setting
        On which data and with which method.
    ours
        One number, or the ends of a range.
    paper
        What the paper reports, in its own terms; empty where it is silent.
    required
        What this package promises to show; empty where it promises nothing.
    met
        Whether the promise holds in this run; None without one.
    unit
        Whether the numbers are plain or percentages.
    """

    quantity: str
    setting: str
    ours: tuple[float, ...]
    paper: str = ""
    required: str = ""
    met: bool | None = None
    unit: Literal["", "%"] = ""

    def shown(self) -> str:
        """Return our number or range as text."""
        form = "{:.2f} %" if self.unit == "%" else "{:.4f}"
        return " to ".join(form.format(value) for value in self.ours)


@dataclass(frozen=True)
class StudyResult:
    """All findings of one run, and remarks on how they were made."""

    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()

    @property
    def kept_promises(self) -> bool:
        """Whether everything that is required holds."""
        return all(finding.met is not False for finding in self.findings)

    def as_plain(self) -> dict[str, Any]:
        """Return the result ready for JSON."""
        return {
            "findings": [{**asdict(finding), "ours": list(finding.ours)} for finding in self.findings],
            "notes": list(self.notes),
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

    def run(self, *, replicates: int | None = None, seed: Seed = 1) -> StudyResult:
        """Run the study; without ``replicates`` as often as the paper did."""
        return self.body(StudyOptions(self.replicates if replicates is None else replicates, seed))


_studies: dict[str, Study] = {}


def study(
    name: str, *, summary: str, reference: str, replicates: int
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
        How many replicates the paper made.
    """

    def enter(body: Callable[[StudyOptions], StudyResult]) -> Study:
        if name in _studies:
            raise TacitaError(f"Two studies are named '{name}'. Rename one.")
        _studies[name] = Study(name, summary, reference, replicates, body)
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
