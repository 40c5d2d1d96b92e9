"""Matching by keys: a victim is looked for among the records whose classes do not contradict what is known of him."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from tacita.attack.attacker import Attacker
from tacita.attack.claims import Claims
from tacita.attack.files.compared import (
    ClassPair,
    NumberPair,
    compare,
    is_as_it_was,
    may_be_suppressed,
    said_values,
    shared_names,
    steps_on,
)
from tacita.attack.targets import FileTarget, KnownStep
from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.traits import AttackTraits
from tacita.numeric.keys.frequencies import label_patterns

__all__ = ["KeyMatch", "Matches", "match_keys", "numbered_patterns", "said_of_matches", "windows_of_steps"]

_CELLS = 4_000_000
_DRAWS = 31
"""Matches of which the median is said, where there are many."""
_SAMPLING = ("sample", "subsample", "record_resampling")
_EXACT = ("global_recode", "local_suppression", "generalise", "local_recode", "top_bottom_code", "rounding",
          "random_rounding", "date_coarsen")  # fmt: skip
"""Steps after which a value still contains what it was."""
_PER_CELL = 3e-9


class Matches(NamedTuple):
    """What was found for each victim.

    ``rows``: (v, draws) records drawn at random among those that agree in most columns, with repetition; ``size``: how many
    these are; ``is_full``: whether they contradict nothing.
    """

    rows: IntArray
    size: IntArray
    is_full: BoolArray


@dataclass(frozen=True, kw_only=True)
class KeyMatch(Attacker):
    """Look for each victim among the records that contradict nothing that is known of him.

    A released class does not contradict a value that it holds: the same class, one above it in a hierarchy, an interval around
    the number. A missing value contradicts nothing, unless it is known that none was suppressed. Where every record contradicts
    something, those that do so in the fewest columns are taken. One of the matches is picked at random; of the wanted columns
    their most frequent class is said, or their median.

    Returns
    -------
    Claims
        Of the identity, sure where one record alone matches; of every wanted column, sure where all matches have one value.

    Complexity
    ----------
    O(a b d) for a different patterns of victims and b of records, with a bit for each pair in memory, block by block.

    Notes
    -----
    Numbers take part where no step is known to have changed them, or where it left an interval: rounding and top coding. Without
    any documentation those take part whose known values nearly all occur in the release. An attacker who is told that
    the file is a sample is never sure of a single match. That all matches share one class tells it without telling the record
    (homogeneity). The median is that of up to 31 matches drawn at random.

    References
    ----------
    Sweeney, L. (2002), k-anonymity: a model for protecting privacy; Machanavajjhala, A. et al. (2007), l-diversity: privacy
    beyond k-anonymity (homogeneity).

    Examples
    --------
    >>> import tacita as tc
    >>> from tacita.attack.judge.stage_file import stage_file
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> masked = tc.mask.GlobalRecode(breaks={"age": [30, 65]}).apply(data)
    >>> staged = stage_file(data, masked, scenario=tc.Scenario(keys=["age", "sex", "occupation", "education"], known=[]))
    >>> tc.attack.attack_once(KeyMatch(), staged.target, staged.answers, seed=1).standing
    'broken'
    """

    name = "key_match"
    title = "Matching by keys"
    traits = AttackTraits(
        against="file",
        learns="identity",
        knows="the true classes of each victim",
        breaks="keys as they were, or a little coarser",
        held_by="k-anonymity with diverse values",
    )

    def declined(self, target: FileTarget) -> str:
        """Return why it cannot be tried: both files must have a column of classes, or of numbers as they were."""
        return (
            "" if _matched_by(target) else "The released file has no classes, and no unchanged numbers, that he knows."
        )

    def cost(self, target: FileTarget) -> float:
        """Return about how many seconds it takes; patterns that occur more than once count once."""
        names = _matched_by(target)
        patterns = [int(file.groups(names).max(initial=-1)) + 1 for file in (target.known, target.released)]
        return 0.05 + patterns[0] * patterns[1] * (len(names) + 2 * len(target.wanted)) * _PER_CELL

    def run(self, target: FileTarget, rng: Generator) -> tuple[Claims, ...]:
        """Match every victim, pick a record and say what the matches have."""
        numbers, classes = compare(target.known, target.released, _matched_by(target), target.steps)
        wanted = [name for name in target.wanted if name in target.released.schema]
        values = {name: said_values(target.released, name) for name in wanted}
        open_to_gaps = frozenset(name for name in _matched_by(target) if may_be_suppressed(target, name))
        found, ends = match_keys(numbers, classes, target.steps, values, rng, open_to_gaps=open_to_gaps)
        is_sample = any(step.name in _SAMPLING for step in target.steps)
        alone = (found.size == 1) & found.is_full & (not is_sample)
        few = float(np.median(found.size)) if len(found.size) else 0.0
        learned = f"{int(alone.sum())} victims match one record alone; a victim matches {few:g} in the middle."
        claims = [
            Claims(
                about="identity",
                said=found.rows[:, 0],
                is_sure=alone,
                learned=learned,
                figures={"records that match, median": few},
            )
        ]
        for name in wanted:
            sure = ends[name] & found.is_full & (not is_sample) & is_as_it_was(target, name)
            claims.append(Claims(about=name, said=said_of_matches(values[name], found), is_sure=sure, learned=learned))
        return tuple(claims)


def _matched_by(target: FileTarget) -> tuple[str, ...]:
    """Return the columns that keys are matched by."""
    names = shared_names(target.known, target.released)
    return tuple(name for name in names if _is_matchable(target, name))


def _is_matchable(target: FileTarget, name: str) -> bool:
    scale = target.released.schema[name].scale
    if scale not in ("numeric", "date"):
        return True
    if target.steps:
        return all(step.name in _EXACT for step in steps_on(target, name))
    if target.known.schema[name].scale != scale:
        return True
    known, released = (set(file.codes(name).categories) for file in (target.known, target.released))
    return len(known & released) >= 0.9 * len(known)


def windows_of_steps(pair: NumberPair, steps: Sequence[KnownStep]) -> tuple[FloatArray, FloatArray]:
    """Return for each released number the ends of what it may have been, by what is known of the steps on its column."""
    low, high = pair.released.copy(), pair.released.copy()
    for step in steps:
        if pair.name not in step.columns:
            continue
        if step.name in ("rounding", "random_rounding"):
            base = float(step.parameters.get("base", 0.0)) * (0.5 if step.name == "rounding" else 1.0) * (1 + 1e-9)
            low, high = low - base, high + base
        if step.name == "date_coarsen":
            days = {"week": 7, "month": 31, "quarter": 92, "year": 366, "decade": 3660}
            high = high + days.get(str(step.parameters.get("to")), 0) * int(step.parameters.get("every", 1))
        if step.name == "top_bottom_code" and len(pair.released):
            if step.parameters.get("top") is not None or step.parameters.get("top_p", 0):
                high = np.where(pair.released >= np.nanmax(pair.released), np.inf, high)
            if step.parameters.get("bottom") is not None or step.parameters.get("bottom_p", 0):
                low = np.where(pair.released <= np.nanmin(pair.released), -np.inf, low)
    gone = np.isnan(pair.released)
    return np.where(gone, -np.inf, low), np.where(gone, np.inf, high)


def match_keys(
    numbers: Sequence[NumberPair],
    classes: Sequence[ClassPair],
    steps: Sequence[KnownStep],
    values: dict[str, NDArray[np.generic]],
    rng: Generator,
    *,
    open_to_gaps: Collection[str],
) -> tuple[Matches, dict[str, BoolArray]]:
    """Return the matches of each victim, and for each column of ``values`` whether all matches have one value. O(a b d).

    A record that lacks a value contradicts a victim who has one, except in the columns ``open_to_gaps``.
    """
    columns = [_coded(pair, steps, pair.name in open_to_gaps) for pair in numbers]
    columns += [_Column(pair.known, pair.released, pair.name in open_to_gaps, pair.fits) for pair in classes]
    mine, my_first = numbered_patterns([column.known for column in columns])
    theirs, their_first = numbered_patterns([column.released for column in columns])
    members = np.argsort(theirs, kind="stable")
    size = np.bincount(theirs, minlength=len(their_first))
    start = np.append(0, np.cumsum(size))
    ends = {name: _pattern_ends(_ranks(column), theirs, len(their_first)) for name, column in values.items()}
    same = {name: np.zeros(len(my_first), bool) for name in values}
    count, full = np.zeros(len(my_first), np.int64), np.zeros(len(my_first), bool)
    rows = np.full((len(mine), _DRAWS), -1, np.int64)
    victims = np.argsort(mine, kind="stable")
    of_pattern = np.append(0, np.cumsum(np.bincount(mine, minlength=len(my_first))))
    step = max(1, _CELLS // max(len(their_first), 1))
    for a in range(0, len(my_first), step):
        part = np.arange(a, min(a + step, len(my_first)))
        agrees = np.zeros((len(part), len(their_first)), np.int16)
        for column in columns:
            agrees += column.agree(my_first[part], their_first)
        most = agrees.max(axis=1, initial=0)
        best = agrees == most[:, None]
        records = best @ size
        count[part], full[part] = records, most == len(columns)
        for name, (low, high) in ends.items():
            least, largest = np.where(best, low, np.inf).min(axis=1), np.where(best, high, -np.inf).max(axis=1)
            same[name][part] = (least == largest) & (least >= 0)
        here = victims[of_pattern[a] : of_pattern[part[-1] + 1]]
        rows[here] = _drawn(best, size, start, members, mine[here] - a, records, rng)
    found = Matches(rows, count[mine], full[mine])
    return found, {name: flags[mine] for name, flags in same.items()}


class _Column(NamedTuple):
    """A column as codes of both files, -1 for missing, and what a comparison of two codes needs.

    Either ``fits`` has it, or the values of the known codes and the ends of the released ones do; without both a code stands
    for itself.
    """

    known: IntArray
    released: IntArray
    is_open: bool
    fits: BoolArray | None = None
    points: FloatArray | None = None
    low: FloatArray | None = None
    high: FloatArray | None = None

    def agree(self, mine: IntArray, theirs: IntArray) -> BoolArray:
        """Return which of some victims and records do not contradict each other."""
        x, y = self.known[mine], self.released[theirs]
        if self.points is not None and self.low is not None and self.high is not None:
            inside = (self.points[x][:, None] >= self.low[y]) & (self.points[x][:, None] <= self.high[y])
        elif self.fits is not None:
            inside = self.fits[x][:, y]
        else:
            inside = x[:, None] == y
        gone = y < 0
        return np.asarray((inside | gone if self.is_open else inside & ~gone) | (x < 0)[:, None])


def _coded(pair: NumberPair, steps: Sequence[KnownStep], is_open: bool) -> _Column:
    """Return a numeric column as codes of its values in both files, with the window of each released value."""
    points, known = _numbered(pair.known)
    shown, released = _numbered(pair.released)
    low, high = windows_of_steps(NumberPair(pair.name, points, shown), steps)
    return _Column(known, released, is_open, None, points, low, high)


def _numbered(values: FloatArray) -> tuple[FloatArray, IntArray]:
    """Return the different values, one at least, and the code of each value; -1 where it is missing."""
    found, codes = np.unique(values, return_inverse=True)
    return np.append(found, np.nan), np.where(np.isnan(values), -1, codes.ravel())


def numbered_patterns(columns: Sequence[IntArray]) -> tuple[IntArray, IntArray]:
    """Number the patterns of codes, and return the first row of each."""
    labels = label_patterns([(codes, int(codes.max(initial=-1)) + 1) for codes in columns])
    _, first, numbers = np.unique(labels, return_index=True, return_inverse=True)
    return numbers.ravel(), first.astype(np.int64)


def _ranks(values: NDArray[np.generic]) -> FloatArray:
    """Return values as numbers that are equal where the values are; -1 where there is none."""
    if values.dtype.kind == "f":
        numbers = np.asarray(values, float)
        ranks = np.unique(numbers, return_inverse=True)[1].astype(float)
        return np.where(np.isnan(numbers), -1.0, ranks)
    words = values.astype(str)
    return np.where(words == "", -1.0, np.unique(words, return_inverse=True)[1])


def _pattern_ends(values: FloatArray, patterns: IntArray, size: int) -> tuple[FloatArray, FloatArray]:
    low, high = np.full(size, np.inf), np.full(size, -np.inf)
    np.minimum.at(low, patterns, values)
    np.maximum.at(high, patterns, values)
    return low, high


def _drawn(
    best: BoolArray,
    size: IntArray,
    start: IntArray,
    members: IntArray,
    pattern: IntArray,
    records: IntArray,
    rng: Generator,
) -> IntArray:
    """Draw records of the best patterns for each victim, all with the same chance."""
    upto = np.cumsum(np.where(best, size, 0), axis=1)
    place = rng.integers(0, np.maximum(records[pattern], 1)[:, None], (len(pattern), _DRAWS))
    # One search for all rows at once: the counts of row i are lifted by i times more than any count.
    lift = int(size.sum()) + 1
    flat = (upto + lift * np.arange(len(best))[:, None]).ravel()
    at = np.searchsorted(flat, place + lift * pattern[:, None], side="right")
    at -= best.shape[1] * pattern[:, None]
    before = upto[pattern[:, None], at] - size[at]
    return np.asarray(members[start[at] + place - before])


def said_of_matches(values: NDArray[np.generic], found: Matches) -> NDArray[np.generic]:
    """Return the median, or the most frequent class, of the matches that were drawn."""
    drawn = values[found.rows]
    if values.dtype.kind == "f":
        there = ~np.isnan(drawn).all(axis=1) if len(drawn) else np.zeros(0, bool)
        said = np.full(len(drawn), np.nan)
        said[there] = np.nanmedian(drawn[there], axis=1)
        return said
    words, codes = np.unique(drawn.astype(str), return_inverse=True)
    codes = codes.reshape(drawn.shape)
    counts = np.zeros((len(drawn), len(words)), np.int32)
    np.add.at(counts, (np.arange(len(drawn))[:, None], codes), 1)
    counts[:, words == ""] = 0
    return np.asarray(words[counts.argmax(axis=1)] if len(drawn) else words[:0], dtype=object)
