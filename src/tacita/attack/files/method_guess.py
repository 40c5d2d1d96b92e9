"""Guessing the method: what masks leave behind in a file tells which one it was."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator

from tacita.attack.attacker import Attacker
from tacita.attack.claims import Claims
from tacita.attack.files.compared import NumberPair, compare, shared_names
from tacita.attack.files.distance_link import DistanceLink
from tacita.attack.files.group_mate import GroupMate
from tacita.attack.files.key_match import KeyMatch
from tacita.attack.files.noise_filter import NoiseFilter
from tacita.attack.files.probabilistic_link import ProbabilisticLink
from tacita.attack.files.rank_swap_intersection import RankSwapIntersection, swapped_windows
from tacita.attack.targets import FileTarget, KnownStep
from tacita.core.arrays import FloatArray
from tacita.core.traits import AttackTraits
from tacita.data.microdata import Microdata

__all__ = ["MethodGuess", "MethodTrace", "guess_method"]

_FEWEST = 0.98
"""Share of values that must show a trace."""
_SPIKE = 0.005
_TRIED_P = (1.0, 2.0, 5.0, 10.0, 15.0, 20.0, 30.0, 50.0)
_TRIED_VICTIMS = 200


class MethodTrace(NamedTuple):
    """What was guessed: a family of masks, how sure by a score from 0 to 1, the traces, and the step that may have been."""

    family: str
    confidence: float
    words: str
    step: KnownStep | None = None


@dataclass(frozen=True, kw_only=True)
class MethodGuess(Attacker):
    """Guess from the release how it was masked, then attack it as if that had been told.

    Microaggregation leaves every value k times. Rounding leaves multiples of a base, top coding a heap at the largest value,
    recoding labels that nobody has, suppression gaps. Swapping leaves all values of a column but not the combinations; noise
    leaves values that nobody has. PRAM leaves numbers that fit and classes that do not.

    Returns
    -------
    Claims
        Of the ``method``, the same for every victim: a family of masks or ``none``; then all claims of the attack that fits.

    Complexity
    ----------
    O((v + n) d log n) for the guess with v victims and n records, then that of the attack that fits.

    Notes
    -----
    What a documentation told is not looked at. Traces are looked for in the order in which they are clear: labels, gaps,
    multiples, groups, heaps, then values and combinations. Of several masks, one after the other, one is found. The p of
    rank swapping is the least at which nearly every victim has a record in all windows; the size of noise follows from how much
    larger the released variance is than that of the known values.

    References
    ----------
    Domingo-Ferrer, J. and Torra, V. (2003), Disclosure risk assessment in statistical microdata protection via advanced record
    linkage, on what is known of the method; Winkler, W. E. (2004), Masking and re-identification methods for public-use
    microdata.

    Examples
    --------
    >>> import tacita as tc
    >>> from tacita.attack.judge.stage_file import stage_file
    >>> data = tc.samples.business_survey(400, seed=1)
    >>> masked = tc.mask.Rounding(columns=["wages"], base=50).apply(data)
    >>> staged = stage_file(data, masked, scenario=tc.Scenario(keys=["region"], known=["wages"]))
    >>> guess_method(staged.target).family
    'recode'
    """

    name = "method_guess"
    title = "Guess of the method"
    traits = AttackTraits(
        against="file",
        learns="identity",
        knows="some true values of each victim, and nothing of the method",
        breaks="secrecy of the method in the place of protection",
        held_by="masks that hold when their method is known",
    )

    def declined(self, target: FileTarget) -> str:
        """Return why it cannot be tried: both files must have a column."""
        return "" if shared_names(target.known, target.released) else "The released file has no column that he knows."

    def cost(self, target: FileTarget) -> float:
        """Return about how many seconds the attack takes that is likely to follow."""
        return DistanceLink().cost(target) * 2 + 0.2 + 1e-6 * len(target.released)

    def run(self, target: FileTarget, rng: Generator) -> tuple[Claims, ...]:
        """Guess, then attack."""
        blind = replace(target, steps=())
        guess = guess_method(blind)
        said = np.full(target.victims, guess.family, dtype=object)
        learned = f"He guesses {guess.family}: {guess.words}."
        figures = {"confidence of the guess": guess.confidence}
        told = replace(blind, steps=() if guess.step is None else (guess.step,))
        if guess.family == "swap" and guess.step is not None:
            told = replace(told, steps=(_with_p(told, guess.step),))
        follow = _fitting(guess.family, told)
        more = follow.run(told, rng) if target.victims else ()
        return (Claims(about="method", said=said, learned=learned, figures=figures), *more)


def _fitting(family: str, target: FileTarget) -> Attacker:
    """Return the attack that fits a guess, or the linkage by distance where that has to decline."""
    tried: dict[str, tuple[Attacker, ...]] = {
        "microaggregation": (GroupMate(),),
        "swap": (RankSwapIntersection(), ProbabilisticLink()),
        "noise": (NoiseFilter(), ProbabilisticLink()),
        "recode": (KeyMatch(),),
        "suppress": (KeyMatch(),),
        "randomise": (ProbabilisticLink(),),
    }
    return next((attack for attack in tried.get(family, ()) if not attack.declined(target)), DistanceLink())


def guess_method(target: FileTarget) -> MethodTrace:
    """Return what the release looks like, beside what is known of the victims."""
    known, released = target.known, target.released
    names = shared_names(known, released)
    for look in (_recoded, _suppressed):
        if found := look(known, released, names):
            return found
    numbers, classes = compare(known, released, names)
    for look_at in (_multiples, _grouped, _heap):
        if found := look_at(numbers, released):
            return found
    strange = [pair for pair in numbers if _share_found(pair) < 0.5]
    if strange:
        return _noise(strange)
    exact = _share_of_rows(numbers)
    if numbers and exact < 0.9:
        moved = tuple(pair.name for pair in numbers)
        step = KnownStep("rank_swap", moved, {"p": 5.0})
        return MethodTrace("swap", 1 - exact, "all values are there, and their combinations are not", step)
    together = _share_of_rows(numbers, [(pair.known, pair.released) for pair in classes if pair.fits is not None])
    if classes and together < exact - 0.02:
        columns = tuple(pair.name for pair in classes)
        return MethodTrace("randomise", exact - together, "numbers fit and classes do not", KnownStep("pram", columns))
    return MethodTrace("none", together, "everything that is known stands in the file")


def _recoded(known: Microdata, released: Microdata, names: tuple[str, ...]) -> MethodTrace | None:
    for name in names:
        if known.schema[name].scale == "numeric" and released.schema[name].scale != "numeric":
            return MethodTrace("recode", 1.0, f"'{name}' has classes in the place of numbers", _step_of("recode", name))
        if known.schema[name].scale in ("nominal", "ordinal"):
            mine = {str(value) for value in known.codes(name).categories}
            theirs = {str(value) for value in released.codes(name).categories}
            if theirs and len(theirs - mine) > 0.2 * len(theirs) and len(mine - theirs) > 0:
                return MethodTrace("recode", 0.9, f"'{name}' has classes that nobody has", _step_of("recode", name))
    return None


def _step_of(family: str, name: str) -> KnownStep:
    return KnownStep({"recode": "global_recode", "suppress": "local_suppression"}[family], (name,))


def _suppressed(known: Microdata, released: Microdata, names: tuple[str, ...]) -> MethodTrace | None:
    for name in names:
        gaps = [float(np.mean(file.is_missing(name))) if len(file) else 0.0 for file in (known, released)]
        if gaps[1] > gaps[0] + max(0.002, 2 / max(len(released), 1)):
            return MethodTrace(
                "suppress", 0.9, f"'{name}' has gaps that victims do not have", _step_of("suppress", name)
            )
    return None


def _multiples(numbers: list[NumberPair], released: Microdata) -> MethodTrace | None:
    """Look for multiples of a base that known values are not."""
    del released
    for pair in numbers:
        mine, theirs = (values[~np.isnan(values)] for values in (pair.known, pair.released))
        base = _largest_base(theirs)
        if len(mine) and base > 1 and np.mean(np.abs(mine / base - np.rint(mine / base)) > 1e-9) > 0.2:
            step = KnownStep("rounding", (pair.name,), {"base": base})
            return MethodTrace("recode", 1.0, f"'{pair.name}' has multiples of {base:g} only", step)
    return None


def _heap(numbers: list[NumberPair], released: Microdata) -> MethodTrace | None:
    """Look for a heap at the largest value, beyond which there are known ones."""
    del released
    for pair in numbers:
        mine, theirs = (values[~np.isnan(values)] for values in (pair.known, pair.released))
        if not len(mine) or not len(theirs):
            continue
        top = theirs.max()
        at_top, beyond = float(np.mean(theirs == top)), float(np.mean(mine > top))
        if at_top > _SPIKE and beyond > _SPIKE:
            step = KnownStep("top_bottom_code", (pair.name,), {"top": float(top)})
            return MethodTrace("recode", 1.0, f"'{pair.name}' has a heap at its largest value", step)
    return None


def _largest_base(values: FloatArray) -> float:
    """Return the largest of 2, 5, 10, 20, 50, ... that all values are multiples of, or 1."""
    found = 1.0
    if not np.any(values):  # all zero, or none at all
        return found
    for power in range(7):
        for digit in (2.0, 5.0, 10.0, 25.0):
            base = digit * 10.0**power
            if np.all(np.abs(values / base - np.rint(values / base)) < 1e-9):
                found = max(found, base)
    return found


def _grouped(numbers: list[NumberPair], released: Microdata) -> MethodTrace | None:
    """Look for columns in which every value occurs k times, and hardly anybody has it."""
    columns: dict[str, Any] = {}
    for column in released.schema:
        if column.scale == "numeric" and "weight" not in column.roles:
            values = released.float(column.name)
            _, counts = np.unique(values[~np.isnan(values)], return_counts=True)
            if len(counts) > 2 and np.mean(counts >= 2) >= _FEWEST:
                columns[column.name] = counts
    mine = {pair.name: _share_found(pair) for pair in numbers}
    grouped = {name: counts for name, counts in columns.items() if mine.get(name, 0.0) < 0.6}
    if not grouped:
        return None
    k = int(min(np.min(counts) for counts in grouped.values()))
    names = tuple(grouped)
    rows = np.bincount(released.groups(names))
    is_joint = float(np.mean(rows >= 2)) >= _FEWEST
    step = KnownStep("mdav" if is_joint else "individual_ranking", names, {"k": k, "aggregate": "mean"})
    return MethodTrace("microaggregation", 1.0, f"every value of {', '.join(names)} occurs {k} times or more", step)


def _share_found(pair: NumberPair) -> float:
    """Return which share of the known values, zeros aside, occur in the released column."""
    mine = pair.known[~np.isnan(pair.known) & (pair.known != 0)]
    return float(np.isin(mine, pair.released).mean()) if len(mine) else 1.0


def _noise(strange: list[NumberPair]) -> MethodTrace:
    """Return how large noise must be for the released variances."""
    ratios = []
    for pair in strange:
        mine, theirs = float(np.nanvar(pair.known)), float(np.nanvar(pair.released))
        ratios.append(float(np.sqrt(max(theirs / mine - 1, 1e-4))) if mine > 0 else 0.1)
    share = 1 - float(np.mean([_share_found(pair) for pair in strange]))
    step = KnownStep("additive_noise", tuple(pair.name for pair in strange), {"sd_ratio": float(np.median(ratios))})
    return MethodTrace("noise", share, "values that nobody has", step)


def _share_of_rows(numbers: list[NumberPair], classes: Any = ()) -> float:
    """Return which share of the victims have a record with the same values in all columns."""
    columns = [(pair.known, pair.released) for pair in numbers]
    for known, released in classes:
        columns.append((np.asarray(known, float), np.asarray(released, float)))
    if not columns:
        return 1.0
    mine, theirs = (np.nan_to_num(np.column_stack(side), nan=-9e99) for side in zip(*columns, strict=True))
    both = np.ascontiguousarray(np.vstack([mine, theirs]))
    rows = both.view([("", both.dtype)] * both.shape[1]).ravel()
    return float(np.isin(rows[: len(mine)], rows[len(mine) :]).mean()) if len(mine) else 1.0


def _with_p(target: FileTarget, step: KnownStep) -> KnownStep:
    """Return the step with the least p at which nearly every victim has a record in all windows."""
    some = target.among(np.arange(min(target.victims, _TRIED_VICTIMS)))
    for p in _TRIED_P:
        tried = replace(step, parameters={"p": p})
        windows = swapped_windows(replace(some, steps=(tried,)))
        found = np.zeros(some.victims, bool)
        for i in range(some.victims):
            inside = (windows.values >= windows.low[i]) & (windows.values <= windows.high[i])
            found[i] = inside.all(axis=1).any()
        if found.mean() >= _FEWEST:
            return tried
    return replace(step, parameters={"p": 100.0})
