"""What a search found: every point with its spread over seeds, the frontier, and the best under a constraint."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from tacita.compare.score import Score
from tacita.compare.search.constraint import ConstraintLike, SearchConstraint, parse_constraint
from tacita.compare.search.frontier import Axis
from tacita.compare.search.search_point import SearchPoint
from tacita.core.errors import MeasureError
from tacita.core.views import view
from tacita.data.frames import frame_from_arrow
from tacita.release.recipe import Recipe

__all__ = ["Choice", "Failure", "SearchResult"]

_MANY_VIOLATIONS = 5.0
"""Percent of the records below k from which on a recommendation must do something about the keys."""


@dataclass(frozen=True)
class Failure:
    """A candidate that could not be tried or placed, with the seed where it depends on it."""

    label: str
    seed: int | None
    reason: str

    def as_plain(self) -> dict[str, Any]:
        """Return the failure ready for JSON."""
        return {"candidate": self.label, "seed": self.seed, "reason": self.reason}


@dataclass(frozen=True, eq=False)
class Choice:
    """The best candidate under a constraint.

    Parameters
    ----------
    point
        The candidate with its measures.
    constraint
        What it had to be.
    share
        The share of seeds whose release meets every limit; below 1 another seed may break one.
    """

    point: SearchPoint
    constraint: SearchConstraint
    share: float

    @property
    def recipe(self) -> Recipe:
        """The recipe, ready to be applied."""
        return self.point.recipe

    @property
    def label(self) -> str:
        """What the candidate is called."""
        return self.point.label

    def as_plain(self) -> dict[str, Any]:
        """Return the choice ready for JSON."""
        return {"constraint": str(self.constraint), "share_of_seeds": self.share, **self.point.as_plain()}

    def __repr__(self) -> str:
        names = dict.fromkeys((self.constraint.goal, *(limit.name for limit in self.constraint.limits)))
        shown = ", ".join(f"{name} {self.point[name]:.4g}" for name in names)
        return f"Choice ({self.label}: {shown}; {self.constraint})"


@dataclass(frozen=True, eq=False)
class SearchResult:
    """Every candidate of a search.

    Parameters
    ----------
    points
        The candidates that were measured, in the order they were given.
    failed
        What failed, with the reason.
    left
        Candidates and seeds that the time limit left untried.
    loss, risk
        The axes of the map.
    score
        How the score is made.
    constraint
        What :meth:`best` looks for unless it is told otherwise.
    scenario
        What the intruder knows, in words.
    before
        Risks that the original carries by itself, by name.
    """

    points: tuple[SearchPoint, ...]
    failed: tuple[Failure, ...]
    left: tuple[tuple[str, int], ...]
    loss: Axis
    risk: Axis
    score: Score
    constraint: SearchConstraint
    scenario: str = ""
    before: Mapping[str, float] = field(default_factory=dict)
    _frame_kind: str = field(default="pyarrow", repr=False)

    def __iter__(self) -> Iterator[SearchPoint]:
        return iter(self.points)

    def __len__(self) -> int:
        return len(self.points)

    def __repr__(self) -> str:
        gone = f"; {len(self.failed)} failures" if self.failed else ""
        late = f"; {len(self.left)} trials left by the time limit" if self.left else ""
        return (
            f"SearchResult ({len(self.points)} candidates of {len(self.families)} families, "
            f"{len(self.frontier)} on the frontier of {self.loss.words} against {self.risk.words}{gone}{late})"
        )

    def _repr_html_(self) -> str:
        shown: str = view("notebook")(self)
        return shown

    @property
    def families(self) -> tuple[str, ...]:
        """The families that have a point, in the order they were given."""
        return tuple(dict.fromkeys(point.family for point in self.points))

    @property
    def frontier(self) -> tuple[SearchPoint, ...]:
        """The points that no other beats in both loss and risk, by loss."""
        return tuple(sorted((p for p in self.points if p.is_on_frontier), key=lambda p: (p["loss"], p["risk"])))

    def best(self, constraint: ConstraintLike = None, *, every_seed: bool = False) -> Choice:
        """Return the best candidate that meets the limits.

        Parameters
        ----------
        constraint
            Such as ``"il1s lowest subject to dld <= 5 and rid <= 40"`` or ``{"dld": 5, "rid": 40}``; without a goal the
            lowest loss wins, and without anything the constraint of the search. Where there are no limits either, the lowest
            score wins.
        every_seed
            Whether the limits must hold for every seed that was tried, and not only for the mean over them.

        Raises
        ------
        MeasureError
            When no candidate meets the limits; the message names the one that comes nearest.

        Notes
        -----
        Of equally good candidates the one with the lower risk wins, then the one given first. Without limits a candidate that
        leaves more than half of the original's violations of k-anonymity is passed over, where there are others and the
        original has more than 5 percent: what is recommended must not leave the keys as they were.
        """
        wanted = self.constraint if constraint is None else parse_constraint(constraint)
        is_open = wanted == SearchConstraint() and all(p.spread("score") is not None for p in self.points)
        wanted = SearchConstraint(goal="score") if is_open else wanted
        named = (wanted.goal, *(limit.name for limit in wanted.limits))
        able = [p for p in self.points if all(p.spread(name) is not None for name in named)]
        if not able:
            raise MeasureError(f"No candidate has all of {', '.join(dict.fromkeys(named))}; was it measured?")
        good = [p for p in able if _meets(p, wanted, every_seed=every_seed)]
        if not good:
            raise MeasureError(self._nearest_miss(able, wanted, every_seed=every_seed))
        sign = 1 if wanted.lowest else -1
        good = self._with_keys_masked(good) if is_open else good
        point = min(good, key=lambda p: (sign * p[wanted.goal], p["risk"]))
        return Choice(point, wanted, point.share_that_meets(wanted))

    def _with_keys_masked(self, points: list[SearchPoint]) -> list[SearchPoint]:
        """Return the points that take away half of the violations of k-anonymity, or all where none does."""
        before = self.before.get("k_anonymity", 0.0)
        if before <= _MANY_VIOLATIONS:
            return points
        less = [p for p in points if p.spread("k_anonymity") is not None and p["k_anonymity"] <= before / 2]
        return less or points

    @property
    def notes(self) -> tuple[str, ...]:
        """What the reader must know: limited measures that no candidate touches, and keys that all leave as they were."""
        found = []
        for name, before in self.before.items():
            values = [p[name] for p in self.points if p.spread(name) is not None]
            if not values or any(abs(value - before) > 1e-9 for value in values):
                continue
            limits = [limit for limit in self.constraint.limits if limit.name == name]
            if limits:
                found.append(
                    f"No candidate touches '{name}', which is limited ({limits[0]}) and stays at {before:.4g} as in the "
                    "original: add candidates that mask the keys, such as local suppression or recoding."
                )
            elif name == "k_anonymity" and before > _MANY_VIOLATIONS:
                found.append(
                    f"No candidate touches the keys: {before:.4g} % of the records stay below k, as in the original. "
                    "Add local suppression, recoding or PRAM of the keys."
                )
        return tuple(found)

    def _nearest_miss(self, able: Sequence[SearchPoint], wanted: SearchConstraint, *, every_seed: bool) -> str:
        def distance(point: SearchPoint) -> float:
            return sum(limit.excess(point[limit.name]) / (abs(limit.bound) or 1.0) for limit in wanted.limits)

        near = min(able, key=distance)
        shown = ", ".join(f"{limit.name} {near[limit.name]:.4g}" for limit in wanted.limits)
        limits = " and ".join(map(str, wanted.limits)) + (" for every seed" if every_seed else "")
        return f"No candidate meets {limits}; the nearest is '{near.label}' with {shown}. Try stronger candidates."

    def to_frame(self) -> Any:
        """Return one row for each candidate as a frame of the kind that the data came from; ``_sd`` is over seeds."""
        names = tuple(dict.fromkeys(name for point in self.points for name in point.measures))
        rows = [self._row(point, names) for point in self.points]
        numbers = [(f"{n}{end}", pa.float64()) for n in ("loss", "risk", "score", *names) for end in ("", "_sd")]
        kinds = [
            ("candidate", pa.string()),
            ("family", pa.string()),
            ("seeds", pa.int64()),
            ("on_frontier", pa.bool_()),
        ]
        table = pa.Table.from_pylist(rows, schema=pa.schema([*kinds, *numbers, ("recipe", pa.string())]))
        return frame_from_arrow(table, self._frame_kind)

    @staticmethod
    def _row(point: SearchPoint, names: Sequence[str]) -> Mapping[str, Any]:
        row: dict[str, Any] = {
            "candidate": point.label,
            "family": point.family,
            "seeds": len(point.trials),
            "on_frontier": point.is_on_frontier,
            "recipe": point.candidate.text,
        }
        for name in ("loss", "risk", "score", *names):
            found = point.spread(name)
            row[name], row[f"{name}_sd"] = (None, None) if found is None else (found.mean, found.sd)
        return row

    def as_plain(self) -> dict[str, Any]:
        """Return the result ready for JSON."""
        return {
            "loss": dict(self.loss.weights),
            "risk": dict(self.risk.weights),
            "score": self.score.formula(),
            "constraint": str(self.constraint),
            "scenario": self.scenario,
            "before": dict(self.before),
            "notes": list(self.notes),
            "families": list(self.families),
            "points": [point.as_plain() for point in self.points],
            "frontier": [point.label for point in self.frontier],
            "failed": [failure.as_plain() for failure in self.failed],
            "left": [{"candidate": label, "seed": seed} for label, seed in self.left],
        }

    def plot(self) -> Any:
        """Draw the risk-utility map: an Altair chart."""
        return view("search")(self)

    def to_html(self) -> str:
        """Return the interactive risk-utility map as one page that needs nothing but itself; it must stay inside."""
        page: str = view("search_page")(self)
        return page


def _meets(point: SearchPoint, wanted: SearchConstraint, *, every_seed: bool) -> bool:
    if every_seed:
        return point.share_that_meets(wanted) == 1
    return all(limit.holds(point[limit.name]) for limit in wanted.limits)
