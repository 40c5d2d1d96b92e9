"""What a benchmark found: entries by set, a ranking over sets, and a plain form that outlives the version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tacita._version import __version__
from tacita.compare.search.search_point import SearchPoint, Spread
from tacita.core import registry
from tacita.core.errors import FileError
from tacita.core.metadata import parse_json, read_text

__all__ = ["FIGURES", "BenchmarkEntry", "BenchmarkResult", "MaskPlace", "SetResult", "entry_of"]

_FORM = "tacita-benchmark-1"
FIGURES = ("score", "loss", "risk", "strongest")
"""The figures of every entry; all are better when lower."""


@dataclass(frozen=True)
class BenchmarkEntry:
    """One mask with its parameters on one set.

    Parameters
    ----------
    candidate, family
        What it is called, and the names of its masks.
    figures
        Mean and spread over seeds of the score, of its losses and risks together, and of the strongest attack.
    parts
        Points that each measure brings to the score, means over seeds.
    attack
        The risk that identified most records, in most seeds.
    seeds
        How many seeds were tried.
    recipe
        The recipe as TOML.
    """

    candidate: str
    family: str
    figures: Mapping[str, Spread]
    parts: Mapping[str, float]
    attack: str
    seeds: int
    recipe: str

    @property
    def score(self) -> float:
        """The mean score, lower is better."""
        return self.figures["score"].mean

    def as_plain(self) -> dict[str, Any]:
        """Return the entry ready for JSON."""
        return {
            "candidate": self.candidate,
            "family": self.family,
            **{name: found.as_plain() for name, found in self.figures.items()},
            "parts": dict(self.parts),
            "attack": self.attack,
            "seeds": self.seeds,
            "recipe": self.recipe,
        }


def entry_of(point: SearchPoint) -> BenchmarkEntry | None:
    """Return the entry of a point of a search; None where it has no score."""
    spreads = {name: point.spread(name) for name in FIGURES}
    figures = {name: spread for name, spread in spreads.items() if spread is not None}
    if "score" not in figures:
        return None
    parts = {part.measure: part.points for part in point.score_parts()}
    named = [_attack(trial.values) for trial in point.trials]
    attack = max(sorted(set(named)), key=named.count)
    return BenchmarkEntry(point.label, point.family, figures, parts, attack, len(point.trials), point.candidate.text)


def _attack(values: Mapping[str, float]) -> str:
    """Return the risk that identifies most records; of several the first by name."""
    risks = {kind.name: kind for kind in registry.methods("risk")}
    able = sorted(
        n for n in values if n in risks and n != "strongest" and getattr(risks[n].traits, "identifies", False)
    )
    return max(able, key=lambda name: values[name]) if able else ""


@dataclass(frozen=True, eq=False)
class SetResult:
    """One data set with everything that was tried on it.

    Parameters
    ----------
    name, about
        The set and what it is.
    records, columns
        Its size.
    fingerprint
        A hash of its content: figures of other data are not compared.
    score, scenario
        How the score is made, and what the intruder knows.
    untouched
        The score of the data as they are, without any mask; None where it cannot be formed.
    entries
        What was measured, best first.
    failed, misfits
        Candidates that failed and masks that were not tried, with the reason.
    left
        Trials that the time limit left.
    """

    name: str
    about: str
    records: int
    columns: int
    fingerprint: str
    score: str
    scenario: str
    untouched: float | None
    entries: tuple[BenchmarkEntry, ...]
    failed: Mapping[str, str] = field(default_factory=dict)
    misfits: Mapping[str, str] = field(default_factory=dict)
    left: int = 0

    def best(self) -> tuple[BenchmarkEntry, ...]:
        """Return the best entry of each family, best first."""
        found: dict[str, BenchmarkEntry] = {}
        for entry in self.entries:
            found.setdefault(entry.family, entry)
        return tuple(found.values())

    def as_plain(self) -> dict[str, Any]:
        """Return the set ready for JSON."""
        plain = {word: getattr(self, word) for word in _SET_WORDS}
        return {**plain, "entries": [entry.as_plain() for entry in self.entries]}


_SET_WORDS = (
    "name", "about", "records", "columns", "fingerprint", "score", "scenario", "untouched", "failed", "misfits", "left"
)  # fmt: skip


@dataclass(frozen=True)
class MaskPlace:
    """A family over all sets: its mean place in percent (0 best, 100 last), and its best score on each set."""

    family: str
    place: float
    scores: Mapping[str, float]

    def as_plain(self) -> dict[str, Any]:
        """Return the place ready for JSON."""
        return {"family": self.family, "place": self.place, "scores": dict(self.scores)}


@dataclass(frozen=True, eq=False)
class BenchmarkResult:
    """All sets of one run.

    Parameters
    ----------
    sets
        What was found on each.
    absent
        Sets that were not run, with the reason.
    settings
        Size, seeds, first seed and scenario of the run.
    version
        The version of the package that made it.
    """

    sets: tuple[SetResult, ...]
    absent: Mapping[str, str]
    settings: Mapping[str, Any]
    version: str = __version__

    def __repr__(self) -> str:
        tried = sum(len(found.entries) for found in self.sets)
        gone = f"; {len(self.absent)} sets left out" if self.absent else ""
        return f"BenchmarkResult ({tried} candidates measured on {len(self.sets)} sets{gone})"

    def __getitem__(self, name: str) -> SetResult:
        """Return one set by name."""
        return self.sets_by_name()[name]

    def sets_by_name(self) -> dict[str, SetResult]:
        """Return the sets by name."""
        return {found.name: found for found in self.sets}

    def ranking(self) -> tuple[MaskPlace, ...]:
        """Return the families by their mean place over the sets that they were tried on, best first.

        Only the best parameters of a family count. A place is taken in percent of the families of the set, so that sets with many
        and with few of them weigh alike; equal scores share their place.
        """
        places: dict[str, list[float]] = {}
        scores: dict[str, dict[str, float]] = {}
        for found in self.sets:
            best = found.best()
            values = np.array([entry.score for entry in best])
            for entry in best:
                below, same = (values < entry.score).sum(), (values == entry.score).sum()
                share = 100 * (below + (same - 1) / 2) / max(len(best) - 1, 1)
                places.setdefault(entry.family, []).append(float(share))
                scores.setdefault(entry.family, {})[found.name] = entry.score
        ranked = [MaskPlace(family, float(np.mean(shares)), scores[family]) for family, shares in places.items()]
        return tuple(sorted(ranked, key=lambda place: (place.place, place.family)))

    def as_plain(self) -> dict[str, Any]:
        """Return the result ready for JSON."""
        return {
            "benchmark": _FORM,
            "version": self.version,
            "settings": dict(self.settings),
            "ranking": [place.as_plain() for place in self.ranking()],
            "sets": [found.as_plain() for found in self.sets],
            "absent": dict(self.absent),
        }

    @classmethod
    def from_plain(cls, plain: Any, owner: str = "The benchmark") -> BenchmarkResult:
        """Make a result of what :meth:`as_plain` gave, of this version or an earlier one."""
        if not isinstance(plain, dict) or plain.get("benchmark") != _FORM:
            raise FileError(f"{owner} is no result of 'tacita benchmark', or of a version with another form.")
        try:
            sets = tuple(_set_of(entry) for entry in plain["sets"])
            return cls(sets, dict(plain["absent"]), dict(plain["settings"]), str(plain["version"]))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise FileError(f"{owner} is damaged: an entry is missing or of another kind.") from error

    @classmethod
    def read(cls, path: str | Path) -> BenchmarkResult:
        """Read the JSON file of a benchmark."""
        owner = f"The file '{Path(path).name}'"
        return cls.from_plain(parse_json(read_text(path, owner), owner), owner)


def _set_of(plain: Mapping[str, Any]) -> SetResult:
    words = {word: plain[word] for word in _SET_WORDS}
    return SetResult(**words, entries=tuple(_entry(entry) for entry in plain["entries"]))


def _entry(plain: Mapping[str, Any]) -> BenchmarkEntry:
    figures = {name: _spread(plain[name]) for name in FIGURES if name in plain or name == "score"}
    parts = {str(name): float(points) for name, points in plain["parts"].items()}
    words: Sequence[str] = [str(plain[word]) for word in ("candidate", "family", "attack", "recipe")]
    return BenchmarkEntry(words[0], words[1], figures, parts, words[2], int(plain["seeds"]), words[3])


def _spread(plain: Mapping[str, Any]) -> Spread:
    sd = plain["sd"]
    return Spread(float(plain["mean"]), None if sd is None else float(sd), float(plain["low"]), float(plain["high"]))
