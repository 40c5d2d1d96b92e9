"""Minimality: that a value was coarsened or suppressed tells that it had to be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from tacita.attack.attacker import Attacker
from tacita.attack.claims import Claims
from tacita.attack.files.compared import ClassPair, compare, said_values, shared_names
from tacita.attack.files.key_match import Matches, match_keys, numbered_patterns, said_of_matches
from tacita.attack.targets import FileTarget, KnownStep
from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.traits import AttackTraits
from tacita.numeric.keys.minimal_groups import chance_in_uniform_part, chances_in_uniform_parts

__all__ = ["Minimality"]

_SURE = 0.99
_PER_CELL = 3e-9


@dataclass(frozen=True, kw_only=True)
class Minimality(Attacker):
    """Conclude from the fact that a record was changed that it had to be.

    **Local recoding** with k-anonymity and l-diversity leaves a group as it is where it has k records and l values. Whoever knows
    the keys of everybody counts the people behind a coarsened group: those with the same true keys who are k or more can
    only have been coarsened because they have fewer than l values. For l = 2 they all have the same one.

    **Local suppression** leaves a record alone that has k equals. A victim whose combination the release shows k times is one
    of these; a record with a suppressed key is not his. Of a victim whose combination is rarer it is the other way round.

    Returns
    -------
    Claims
        Of the identity (suppression), and of every wanted column; sure where a class has a chance of 99 percent.

    Complexity
    ----------
    O(a b d) for a patterns of victims and b of records; O(m) for each coarsened group with m values for l = 2.

    Notes
    -----
    The victims must be all people in the file, whose keys the attacker has, as from a register. The conclusion is exact for
    recoding bottom up, which settles all records with equal keys together; from above it does not hold, and the attack
    declines. For l = 2 the parts of a group are looked at together, for larger l each by itself.

    Generalisation of whole columns (:class:`~tacita.mask.Generalise`) is declined. That a coarser level was taken says one thing
    of all groups of the finer one together: with as many suppressions as were allowed, some were still too small or too uniform.
    Which ones are too small follows from the keys, which the attacker has, and says nothing of values. That a uniform one is
    needed as well follows only where the small ones do not suffice, and then it is any of the others: with g of these, each about
    as likely, a chance of about 1 / g for each.

    References
    ----------
    Wong, R. C., Fu, A. W., Wang, K. and Pei, J. (2007), Minimality attack in privacy preserving data publishing.

    Examples
    --------
    >>> import tacita as tc
    >>> from tacita.attack.judge.stage_file import stage_file
    >>> data = tc.samples.household_survey(600, seed=1)
    >>> masked = tc.mask.LocalSuppression(columns=["sex", "marital", "education", "employment"], k=2).apply(data)
    >>> known = tc.Scenario(keys=["sex", "marital", "education", "employment"], known=[])
    >>> staged = stage_file(data, masked, scenario=known, wanted=["health"])
    >>> [claim.about for claim in Minimality().run(staged.target, __import__("numpy").random.default_rng(1))]
    ['identity', 'health']
    """

    name = "minimality"
    title = "Minimality"
    traits = AttackTraits(
        against="file",
        learns="value",
        knows="the keys of everybody in the file, and that no record was changed without need",
        breaks="local recoding for l-diversity where equal keys go with equal values",
        held_by="recoding by the keys alone, without a look at the values",
        of_any=False,
    )

    def declined(self, target: FileTarget) -> str:
        """Return why it cannot be tried: the method must be known to change no more than it needs."""
        step = _minimal(target)
        if step is None and any(one.name == "generalise" for one in target.steps):
            return "Generalisation of whole columns says that some group somewhere was too uniform, and not which."
        if step is None:
            return "Nothing says that the release was made by local recoding or local suppression."
        if not shared_names(target.known, target.released):
            return "The released file has no column that he knows."
        if step.name == "local_suppression":
            return (
                ""
                if set(step.columns) <= set(target.known.names)
                else "He does not know all keys that were suppressed."
            )
        if float(step.parameters.get("l", 1.0)) < 2 or step.parameters.get("form", "distinct") != "distinct":
            return "Records were recoded without a look at confidential values."
        if step.parameters.get("direction") == "top down":
            return "Recoding from above does not settle records with equal keys together."
        name = _confidential(target, step)
        return "" if name in target.wanted else "The confidential column is not wanted."

    def cost(self, target: FileTarget) -> float:
        """Return about how many seconds it takes to compare all patterns."""
        names = shared_names(target.known, target.released)
        patterns = [int(file.groups(names).max(initial=-1)) + 1 for file in (target.known, target.released)]
        return 0.05 + patterns[0] * patterns[1] * (len(names) + 1) * _PER_CELL

    def run(self, target: FileTarget, rng: Generator) -> tuple[Claims, ...]:
        """Draw the conclusions that the method allows."""
        step = _minimal(target)
        if step is None:
            return ()
        if step.name == "local_suppression":
            return _after_suppression(target, step, rng)
        return (_after_recoding(target, step, _confidential(target, step)),)


def _minimal(target: FileTarget) -> KnownStep | None:
    return next((step for step in target.steps if step.name in ("local_recode", "local_suppression")), None)


def _confidential(target: FileTarget, step: KnownStep) -> str:
    """Return the column that recoding looked at: the one that is named, or the first with that role."""
    named = step.parameters.get("confidential")
    return str(named) if named else next((c.name for c in target.released.schema if c.has_role("confidential")), "")


# --- local suppression --------------------------------------------------------------------------------------------------


def _after_suppression(target: FileTarget, step: KnownStep, rng: Generator) -> tuple[Claims, ...]:
    """Look for victims whose combination is shown k times among these, for all others among all records."""
    released, k = target.released, int(step.parameters.get("k", 3))
    names = [name for name in step.columns if name in released.schema]
    whole = np.flatnonzero(~np.any([released.is_missing(name) for name in names], axis=0))
    wanted = [name for name in target.wanted if name in released.schema]
    values = {name: said_values(released, name) for name in wanted}

    def matched(rows: IntArray) -> Matches:
        numbers, classes = compare(target.known, released.take(rows), names, target.steps)
        found, _ = match_keys(numbers, classes, target.steps, {}, rng, open_to_gaps=frozenset(names))
        return Matches(rows[found.rows], found.size, found.is_full)

    everyone = matched(np.arange(len(released)))
    found = everyone
    if len(whole):
        shown = matched(whole)
        safe = shown.is_full & (shown.size >= k)
        found = Matches(
            np.where(safe[:, None], shown.rows, everyone.rows),
            np.where(safe, shown.size, everyone.size),
            np.where(safe, shown.is_full, everyone.is_full),
        )
    alone = (found.size == 1) & found.is_full
    fewer = float(np.mean(everyone.size - found.size)) if len(found.size) else 0.0
    learned = f"A safe record loses nothing, so {fewer:.1f} records fewer come into question for a victim on average."
    claims = [Claims(about="identity", said=found.rows[:, 0], is_sure=alone, learned=learned)]
    for name in wanted:
        claims.append(Claims(about=name, said=said_of_matches(values[name], found), is_sure=alone, learned=learned))
    return tuple(claims)


# --- local recoding -----------------------------------------------------------------------------------------------------


def _after_recoding(target: FileTarget, step: KnownStep, name: str) -> Claims:
    """Say of every victim the most likely value, given that larger parts of a coarsened group have fewer than l values."""
    released = target.released
    names = [n for n in step.columns if n in released.schema and n in target.known.names and n != name]
    part, group = _groups(_as_classes(target, names))
    words = said_values(released, name).astype(str)
    labels, codes = np.unique(words, return_inverse=True)
    codes = codes.ravel()
    k, diverse = int(step.parameters.get("k", 3)), int(np.ceil(float(step.parameters.get("l", 2.0))))
    record_group = group[1]
    counts = np.zeros((int(record_group.max(initial=-1)) + 1, len(labels)), np.int64)
    np.add.at(counts, (record_group, codes), 1)
    sizes = np.bincount(part, minlength=int(part.max(initial=-1)) + 1)
    of_part = np.zeros(len(sizes), np.int64)
    of_part[part] = group[0]
    chances = _chances(sizes, of_part, counts, k, diverse)
    best, sure = chances.argmax(axis=1), chances.max(axis=1)
    is_told = group[0] >= 0
    said = np.where(is_told, labels[best[part]], "").astype(object)
    concluded = is_told & (sure[part] >= _SURE)
    return Claims(
        about=name,
        said=_as_numbers(said) if said_values(released, name).dtype.kind == "f" else said,
        is_sure=concluded,
        learned=f"{int(concluded.sum())} victims are in parts of groups that can only have one value.",
    )


def _as_numbers(said: NDArray[np.generic]) -> FloatArray:
    return np.array([float(word) if word not in ("", "nan") else np.nan for word in said.tolist()])


def _chances(sizes: IntArray, of_part: IntArray, counts: IntArray, k: int, diverse: int) -> FloatArray:
    """Return the chance of each value for the members of each part; a part alone in its group tells nothing more."""
    totals, chances = counts.sum(axis=1), np.zeros((len(sizes), counts.shape[1]))
    for number in np.unique(of_part[of_part >= 0]):
        parts = np.flatnonzero(of_part == number)
        left = counts[number].astype(float)
        forced = [i for i in parts if sizes[i] >= k and sizes[i] < totals[number]]
        if forced and diverse == 2:
            chances[forced] = chances_in_uniform_parts(counts[number], sizes[forced])
        else:
            for i in forced:
                chances[i] = chance_in_uniform_part(counts[number], int(sizes[i]), diverse)
        left = left - sizes[forced] @ chances[forced]
        left = np.maximum(left, 0.0)
        rest = left / left.sum() if left.sum() > 0 else counts[number] / max(totals[number], 1)
        chances[[i for i in parts if i not in forced]] = rest
    return chances


def _as_classes(target: FileTarget, names: Sequence[str]) -> list[ClassPair]:
    """Return the keys as classes; numbers that were not recoded are classes that stand for themselves."""
    numbers, classes = compare(target.known, target.released, names, target.steps)
    for pair in numbers:
        values, codes = np.unique(np.concatenate([pair.known, pair.released]), return_inverse=True)
        codes = np.where(np.isnan(values[codes.ravel()]), -1, codes.ravel())
        cut = len(pair.known)
        classes.append(ClassPair(pair.name, codes[:cut], codes[cut:], np.eye(len(values), dtype=bool)))
    return classes


def _groups(classes: Sequence[ClassPair]) -> tuple[IntArray, tuple[IntArray, IntArray]]:
    """Return the part of each victim (equal true keys), and the released group of each victim and each record.

    A victim is in the finest group whose labels hold his keys; -1 where there is none.
    """
    mine, first = numbered_patterns([pair.known for pair in classes])
    theirs, shown = numbered_patterns([pair.released for pair in classes])
    fits = np.ones((len(first), len(shown)), bool)
    width = np.zeros(len(shown))
    for pair in classes:
        if pair.fits is None:
            fits &= pair.known[first][:, None] == pair.released[shown]
            continue
        table: BoolArray = np.ones((pair.fits.shape[0] + 1, pair.fits.shape[1] + 1), bool)
        table[:-1, :-1] = pair.fits
        fits &= table[pair.known[first]][:, pair.released[shown]]
        width += np.log(np.maximum(table[:-1].sum(axis=0), 1))[pair.released[shown]]
    cost = np.where(fits, width, np.inf)
    group = np.where(fits.any(axis=1), cost.argmin(axis=1), -1) if len(shown) else np.full(len(first), -1)
    return mine, (group[mine], theirs)
