"""What the outlier paper says, as data, and the judge that holds it against the lines of a figure.

The statements are in ``outlier_statements.toml``, whose head says what every kind of claim means.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import TacitaError

__all__ = ["Check", "Claim", "Figures", "Judged", "Line", "Statement", "judge_statements", "read_statements"]


@dataclass(frozen=True, eq=False)
class Line:
    """One family in one figure: a measure along the family's parameter, for the file and for its outliers."""

    parameters: FloatArray
    whole: FloatArray
    outliers: FloatArray

    def within(self, low: float, high: float) -> Line:
        """Return the part between two parameters, ends included."""
        kept = (self.parameters >= low - 1e-9) & (self.parameters <= high + 1e-9)
        return Line(self.parameters[kept], self.whole[kept], self.outliers[kept])

    @property
    def mean(self) -> float:
        """Mean of the file's line."""
        return float(self.whole.mean())

    @property
    def gap(self) -> float:
        """Mean distance between the file's and the outliers' line."""
        return float(np.abs(self.outliers - self.whole).mean())

    @property
    def range(self) -> float:
        """Largest minus smallest value of the file's line."""
        return float(np.ptp(self.whole))


Figures = Mapping[tuple[str, str], Mapping[str, Line]]
"""The families of every figure; a figure is found by data set and measure."""


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One thing that is said of one or more families."""

    kind: str
    families: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    order: tuple[tuple[str, ...], ...] = ()
    where: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    measure: str = ""
    measures: tuple[str, ...] = ()
    share: float = 0.75
    points: float | None = None
    ratio: float | None = None
    of_top: float | None = None
    correlation: float = 0.9
    from_ratio: float = 0.0
    to_ratio: float = float("inf")


@dataclass(frozen=True)
class Statement:
    """A sentence of the paper in our own words, and the claims that it makes."""

    section: str
    data: str
    measure: str
    sense: str
    claims: tuple[Claim, ...]


@dataclass(frozen=True)
class Check:
    """A claim held against the lines: of whom, whether it holds, and what was found."""

    who: str
    holds: bool
    found: str


@dataclass(frozen=True)
class Judged:
    """A statement with its checks."""

    statement: Statement
    checks: tuple[Check, ...]

    @property
    def holds(self) -> bool:
        """Whether every claim of the statement holds."""
        return all(check.holds for check in self.checks)

    @property
    def why_not(self) -> str:
        """The checks that failed, in words."""
        return "; ".join(f"does not hold for {check.who}: {check.found}" for check in self.checks if not check.holds)


def read_statements() -> tuple[Statement, ...]:
    """Read the statements that come with the package."""
    text = files("tacita.study").joinpath("outlier_statements.toml").read_text(encoding="utf-8")
    made = []
    for entry in tomllib.loads(text)["statement"]:
        claims = tuple(Claim(**{key: _frozen(value) for key, value in claim.items()}) for claim in entry.pop("claims"))
        for claim in claims:
            if claim.kind not in _KINDS:
                raise TacitaError(f"The claim '{claim.kind}' in section {entry['section']} has no rule to judge it by.")
        made.append(Statement(**entry, claims=claims))
    return tuple(made)


def _frozen(value: Any) -> Any:
    return tuple(_frozen(entry) for entry in value) if isinstance(value, list) else value


def judge_statements(statements: Sequence[Statement], figures: Figures) -> tuple[Judged, ...]:
    """Hold the statements against the figures; those that need a figure that was not made are left out."""
    measured = {data for data, _ in figures}
    judged = []
    for statement in statements:
        wanted = {statement.data} | {"census" for claim in statement.claims if claim.kind in _ACROSS}
        if wanted <= measured:
            checks = tuple(check for claim in statement.claims for check in _checks(claim, statement, figures))
            judged.append(Judged(statement, checks))
    return tuple(judged)


@dataclass(frozen=True)
class _Scene:
    """The figure a claim speaks of."""

    claim: Claim
    data: str
    measure: str
    figures: Figures

    def line(self, family: str, *, data: str = "", measure: str = "") -> Line:
        """Return the line of a family, limited to the parameters that the claim speaks of."""
        found = self.figures[data or self.data, measure or self.measure][family]
        return found.within(*self.claim.where[family]) if family in self.claim.where else found

    @property
    def lines(self) -> dict[str, Line]:
        """All lines of the figure in full."""
        return dict(self.figures[self.data, self.measure])

    @property
    def top(self) -> float:
        """The largest value that is drawn."""
        return max(float(max(line.whole.max(), line.outliers.max())) for line in self.lines.values())


def _checks(claim: Claim, statement: Statement, figures: Figures) -> Iterator[Check]:
    scene = _Scene(claim, statement.data, claim.measure or statement.measure, figures)
    rule = _KINDS[claim.kind]
    whose = claim.families if claim.kind in _EACH else ("",)
    label = f" ({claim.measure})" if claim.measure else ""
    for family in whose:
        holds, found = rule(scene, family)
        who = family or ", ".join(claim.families or [name for group in claim.order for name in group])
        yield Check(who + label, bool(holds), found)


# --- one rule for each kind -------------------------------------------------------------------------------------------------

Verdict = tuple[bool, str]
Rule = Callable[[_Scene, str], Verdict]


def _outliers_side(sign: float) -> Rule:
    def rule(scene: _Scene, family: str) -> Verdict:
        line = scene.line(family)
        ahead = sign * (line.outliers - line.whole)
        # Equal up to rounding of the arithmetic is not above or below.
        share = float((ahead > 1e-9 * np.maximum(np.abs(line.whole), 1.0)).mean())
        words = f"{'above' if sign > 0 else 'below'} for {100 * share:.0f} % of the parameters, "
        words += f"mean {line.outliers.mean():.3g} against {line.mean:.3g}"
        return share >= scene.claim.share and ahead.mean() > 0, words

    return rule


def _outliers_vary(scene: _Scene, family: str) -> Verdict:
    line = scene.line(family)
    above = float((line.outliers > line.whole).mean())
    return 0 < above < 1, f"above for {100 * above:.0f} % of the parameters"


def _gap_limit(sign: float) -> Rule:
    def rule(scene: _Scene, family: str) -> Verdict:
        line, claim = scene.line(family), scene.claim
        if claim.points is not None:
            return sign * (line.gap - claim.points) >= 0, f"{line.gap:.3g} points, {_side(line.gap, claim.points)}"
        share, limit = line.gap / line.mean, claim.ratio or 0.0
        return sign * (share - limit) >= 0, f"{share:.3g} of the mean, {_side(share, limit)}"

    return rule


def _side(value: float, limit: float) -> str:
    """Say on which side of a limit a value is; what is said is true whether the claim holds or not."""
    return f"{'above' if value > limit else 'below' if value < limit else 'at'} the limit of {limit:.3g}"


def _relation(left: Mapping[str, float], right: Mapping[str, float]) -> str:
    """Return how two groups of numbers lie to each other, whatever was claimed."""
    if min(left.values()) > max(right.values()):
        return ">"
    if max(left.values()) < min(right.values()):
        return "<"
    is_one = {*left.values()} == {*right.values()} and len({*left.values()}) == 1
    return "=" if is_one else "overlapping with"


def _ordered(scene: _Scene, size: Callable[[Line], float]) -> Verdict:
    sizes = [{family: size(scene.line(family)) for family in group} for group in scene.claim.order]
    holds = all(
        min(sizes[i].values()) > max(sizes[j].values()) for i in range(len(sizes)) for j in range(i + 1, len(sizes))
    )
    words = [" and ".join(f"{name} {value:.3g}" for name, value in group.items()) for group in sizes]
    found = [f"{_relation(a, b)} {group}" for a, b, group in zip(sizes, sizes[1:], words[1:], strict=False)]
    return holds, " ".join([words[0], *found])


def _gap_grows(scene: _Scene, family: str) -> Verdict:
    here, there = scene.line(family).gap, scene.line(family, data="census").gap
    return here > there, f"{here:.3g} against {there:.3g} in census"


def _swing(scene: _Scene, family: str) -> Verdict:
    line = scene.line(family)
    found = float(line.whole.max() / line.whole.min())
    return found >= (scene.claim.ratio or 0.0), f"largest over smallest {found:.3g}"


def _rank_correlation(a: FloatArray, b: FloatArray) -> float:
    from tacita.numeric.statistics.ranks import mid_ranks

    return float(np.corrcoef(mid_ranks(a, np.sort(a)), mid_ranks(b, np.sort(b)))[0, 1])


def _falls(scene: _Scene, family: str) -> Verdict:
    line = scene.line(family)
    found = _rank_correlation(line.parameters, line.whole)
    return found <= -scene.claim.correlation, f"rank correlation {found:.2f}"


def _opposed(scene: _Scene, family: str) -> Verdict:
    here = scene.line(family).whole
    found = {other: _rank_correlation(here, scene.line(family, measure=other).whole) for other in scene.claim.measures}
    words = ", ".join(f"with {other} {value:.2f}" for other, value in found.items())
    return max(found.values()) <= -scene.claim.correlation, f"rank correlation {words}"


def _peak(scene: _Scene, family: str) -> Verdict:
    where = {name: line.parameters[line.whole.argmax()] for name, line in scene.lines.items()}
    highest = max(scene.lines, key=lambda name: float(scene.lines[name].whole.max()))
    low, high = scene.claim.where.get(family, (-np.inf, np.inf))
    return highest == family and low <= where[highest] <= high, f"the peak is at {highest}{where[highest]:g}"


def _extreme(sign: float) -> Rule:
    def rule(scene: _Scene, family: str) -> Verdict:
        del family  # the families stand together
        means = {name: line.mean for name, line in scene.lines.items()}
        ours = [sign * means[name] for name in scene.claim.families]
        rest = [sign * mean for name, mean in means.items() if name not in scene.claim.families]
        return min(ours) > max(rest), "means " + ", ".join(f"{name} {mean:.3g}" for name, mean in means.items())

    return rule


def _mean_side(sign: float) -> Rule:
    def rule(scene: _Scene, family: str) -> Verdict:
        mean = scene.line(family).mean
        others = {name: scene.line(name).mean for name in scene.claim.others}
        words = ", ".join(f"{name} {value:.3g}" for name, value in others.items())
        return all(sign * (mean - other) > 0 for other in others.values()), f"mean {mean:.3g} against {words}"

    return rule


def _below(scene: _Scene, family: str) -> Verdict:
    ours = scene.line(family).whole
    share = min(float((ours[:, None] < scene.line(name).whole).mean()) for name in scene.claim.others)
    return share >= scene.claim.share, f"below in {100 * share:.0f} % of the pairs"


def _usually_above(scene: _Scene, family: str) -> Verdict:
    wins = [
        scene.line(family, measure=measure).mean > scene.line(other, measure=measure).mean
        for measure in scene.claim.measures
        for other in scene.claim.others
    ]
    return 2 * sum(wins) > len(wins), f"above in {sum(wins)} of {len(wins)} comparisons"


def _stays_below(scene: _Scene, family: str) -> Verdict:
    largest, claim = float(scene.line(family).whole.max()), scene.claim
    limit = claim.points if claim.points is not None else (claim.of_top or 0.0) * scene.top
    return largest <= limit, f"largest {largest:.3g}, {_side(largest, limit)}"


def _stays_above(scene: _Scene, family: str) -> Verdict:
    smallest, limit = float(scene.line(family).whole.min()), scene.claim.points or 0.0
    return smallest >= limit, f"smallest {smallest:.3g}, {_side(smallest, limit)}"


def _alike(scene: _Scene, family: str) -> Verdict:
    del family
    means = {name: scene.line(name).mean for name in scene.claim.families}
    spread, limit = max(means.values()) - min(means.values()), scene.claim.points or 0.0
    words = ", ".join(f"{k} {v:.3g}" for k, v in means.items())
    return spread <= limit, f"means {words}: {spread:.3g} apart, {_side(spread, limit)}"


def _times_census(scene: _Scene, family: str) -> Verdict:
    found = scene.line(family).mean / scene.line(family, data="census").mean
    return scene.claim.from_ratio <= found <= scene.claim.to_ratio, f"{found:.3g} times census"


_EACH: dict[str, Rule] = {
    "outliers higher": _outliers_side(1.0),
    "outliers lower": _outliers_side(-1.0),
    "outliers vary": _outliers_vary,
    "gap at least": _gap_limit(1.0),
    "gap at most": _gap_limit(-1.0),
    "gap grows": _gap_grows,
    "swing": _swing,
    "falls": _falls,
    "opposed": _opposed,
    "peak": _peak,
    "mean below": _mean_side(-1.0),
    "mean above": _mean_side(1.0),
    "below": _below,
    "usually above": _usually_above,
    "stays below": _stays_below,
    "stays above": _stays_above,
    "times census": _times_census,
}
_TOGETHER: dict[str, Rule] = {
    "gap order": lambda scene, _: _ordered(scene, lambda line: line.gap),
    "range order": lambda scene, _: _ordered(scene, lambda line: line.range),
    "lowest": _extreme(-1.0),
    "highest": _extreme(1.0),
    "alike": _alike,
}
_KINDS = {**_EACH, **_TOGETHER}
_ACROSS = {"gap grows", "times census"}
"""Claims that compare with the census file."""
