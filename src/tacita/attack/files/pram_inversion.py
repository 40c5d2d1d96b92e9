"""PRAM undone: with the transition matrix known, Bayes' rule tells what a released class was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from tacita.attack.claims import Claims
from tacita.attack.files.compared import shared_names
from tacita.attack.files.links import LinkingAttack, Links, claims_of_links, link_by_cost
from tacita.attack.targets import FileTarget, KnownStep
from tacita.core.arrays import FloatArray, IntArray
from tacita.core.traits import AttackTraits
from tacita.numeric.linkage.cheapest import class_factors
from tacita.numeric.perturbation.pram import expected_matrix, invariant_matrix, margin_before, posterior

__all__ = ["KnownMatrix", "PramInversion", "known_matrix"]

_SURE = 0.99
_MOST_COST = 60.0
"""What a transition costs that the matrix excludes: finite, because the matrix that he knows may be a mean."""
_MISSING = "(missing)"


@dataclass(frozen=True, eq=False)
class KnownMatrix:
    """A transition matrix as an attacker knows it: original labels in rows, released ones in columns."""

    labels: tuple[str, ...]
    released: tuple[str, ...]
    matrix: FloatArray


def known_matrix(target: FileTarget, name: str) -> KnownMatrix | None:
    """Return what is known of the matrix that changed a column; None where it was not changed, or jointly with others.

    A matrix that was given is known as it is. Of one that was built its mean is known, made invariant by the released shares.
    """
    step = next((s for s in target.steps if s.name == "pram" and name in s.columns), None)
    if step is None or step.parameters.get("joint"):
        return None
    codes = target.released.codes(name)
    shown = [str(category) for category in codes.categories]
    shares = np.bincount(codes.values[codes.values >= 0], minlength=len(shown)).astype(float)
    shares = shares / max(shares.sum(), 1.0)
    given = step.parameters.get("matrix")
    return _as_given(given, shown) if given else _as_built(step, shown, shares)


def _as_given(given: Mapping[str, Mapping[str, float]], shown: list[str]) -> KnownMatrix:
    labels = list(dict.fromkeys([*given, *shown]))
    released = list(dict.fromkeys([*shown, *(label for row in given.values() for label in row)]))
    place = {label: j for j, label in enumerate(released)}
    matrix = np.zeros((len(labels), len(released)))
    for i, label in enumerate(labels):
        for to, chance in given.get(label, {label: 1.0}).items():
            matrix[i, place.setdefault(to, 0)] += chance
    return KnownMatrix(tuple(labels), tuple(released), matrix)


def _as_built(step: KnownStep, shown: list[str], shares: FloatArray) -> KnownMatrix:
    matrix = expected_matrix(len(shown), float(step.parameters.get("pd", 0.8)))
    if step.parameters.get("invariant", True):
        matrix = invariant_matrix(matrix, shares, float(step.parameters.get("alpha", 0.5)))
    return KnownMatrix(tuple(shown), tuple(shown), matrix)


@dataclass(frozen=True, kw_only=True)
class PramInversion(LinkingAttack):
    """Say the most likely original class of each victim's record, from the transition matrix and the released shares.

    With the chances ``p_ij`` that i became j and the shares ``t`` of the original classes, which follow from the released ones,
    a released j was i with the chance ``t_i p_ij / sum_k t_k p_kj``. Victims are linked first: a changed class that is
    known costs ``-log2 p_ij`` bits, the other columns count as in the linkage by distance.

    Returns
    -------
    Claims
        Of the identity where a changed class is known, and of every wanted column; of changed ones the most likely class, sure
        where its chance is 99 percent.

    Complexity
    ----------
    O(m^2) for m classes, and O(v n d) to link v victims to n records.

    Notes
    -----
    A matrix that was given to the mask is taken as published, as data users need it. One that the mask built has chances that
    depend on the seed; then the attacker takes their mean, made invariant. Shares of the original come from EM, which
    never makes them negative. Columns that were changed jointly are left out.

    References
    ----------
    Gouweleeuw, Kooiman, Willenborg and de Wolf (1998), Post randomisation for statistical disclosure control; de Wolf, P. P.
    and van Gelder, I. (2004), An empirical evaluation of PRAM.

    Examples
    --------
    >>> import tacita as tc
    >>> from tacita.attack.judge.stage_file import stage_file
    >>> data = tc.samples.household_survey(400, seed=1)
    >>> matrix = {"male": {"male": 0.1, "female": 0.9}, "female": {"male": 0.9, "female": 0.1}}
    >>> masked = tc.mask.Pram(columns=["sex"], matrix=matrix).apply(data, seed=7)
    >>> known = tc.Scenario(keys=["age", "region", "occupation"], known=["earnings", "savings"])
    >>> staged = stage_file(data, masked, scenario=known, wanted=["sex"])
    >>> tc.attack.attack_once(PramInversion(), staged.target, staged.answers, seed=1).standing
    'broken'
    """

    name = "pram_inversion"
    title = "Inversion of PRAM"
    traits = AttackTraits(
        against="file",
        learns="value",
        knows="some true values of each victim, and the transition matrix",
        breaks="a matrix from which the original class follows",
        held_by="rows of the matrix that are nearly equal",
        of_any=False,
    )

    def declined(self, target: FileTarget) -> str:
        """Return why it cannot be tried: a changed column must be known or wanted."""
        if not any(step.name == "pram" for step in target.steps):
            return "Nothing says that classes were changed at random, and by which matrix."
        if not any(
            known_matrix(target, name) for name in (*target.known.names, *target.wanted) if self._has(target, name)
        ):
            return "No class that was changed by itself is known or wanted."
        return super().declined(target)

    @staticmethod
    def _has(target: FileTarget, name: str) -> bool:
        return name in target.released.schema

    def links(self, target: FileTarget, rng: Generator) -> Links:
        """Link by what the transitions of known classes cost, and by the distance in all other columns."""
        changed = {name: known_matrix(target, name) for name in self.linked_by(target)}
        factors = [_transition_factors(target, name, known) for name, known in changed.items() if known is not None]
        rest = [name for name in shared_names(target.known, target.released) if changed.get(name) is None]
        more = None
        if factors:
            more = (np.hstack([left for left, _ in factors]), np.hstack([right for _, right in factors]))
        return link_by_cost(target, rest, rng, more=more)[0]

    def run(self, target: FileTarget, rng: Generator) -> tuple[Claims, ...]:
        """Link, then say the most likely original class of the linked record."""
        links = self.links(target, rng)
        said: dict[str, NDArray[np.generic]] = {}
        sure: dict[str, FloatArray] = {}
        for name in target.wanted:
            known = known_matrix(target, name) if self._has(target, name) else None
            if known is not None:
                said[name], sure[name] = _most_likely(target, name, known, links.rows)
        claims = claims_of_links(target, links, said)
        if not any(known_matrix(target, name) for name in self.linked_by(target)):
            claims = claims[1:]  # who found the record by other columns did not find it by the matrix
        figures = {"mean chance of the class that is said": {n: float(np.mean(c)) for n, c in sure.items() if len(c)}}
        return tuple(
            Claims(
                about=claim.about,
                said=claim.said,
                is_sure=links.is_sure & (sure[claim.about] >= _SURE),
                learned="He inverts the matrix that the classes were changed by.",
                figures={key: found[claim.about] for key, found in figures.items() if claim.about in found},
            )
            if claim.about in sure
            else claim
            for claim in claims
        )


def _codes_of(target_labels: tuple[str, ...], words: list[str]) -> IntArray:
    place = {label: i for i, label in enumerate(target_labels)}
    return np.array([*(place.get(word, -1) for word in words), place.get(_MISSING, -1)], np.int64)


def _released_codes(target: FileTarget, name: str, known: KnownMatrix) -> IntArray:
    codes = target.released.codes(name)
    return np.asarray(_codes_of(known.released, [str(c) for c in codes.categories])[codes.values])


def _transition_factors(target: FileTarget, name: str, known: KnownMatrix) -> tuple[FloatArray, FloatArray]:
    """Return factors of -log2 of how likely the released class is, given the known one, against that of any record."""
    mine = target.known.codes(name)
    codes = _codes_of(known.labels, [str(c) for c in mine.categories])[mine.values]
    released = _released_codes(target, name, known)
    often = np.bincount(released[released >= 0], minlength=len(known.released)) + 0.5
    with np.errstate(divide="ignore"):
        bits = np.log2(often / often.sum()) - np.log2(known.matrix)
    return class_factors(codes, released, np.clip(bits, -_MOST_COST, _MOST_COST))


def _most_likely(
    target: FileTarget, name: str, known: KnownMatrix, rows: IntArray
) -> tuple[NDArray[np.generic], FloatArray]:
    """Return the most likely original class of the linked records, and its chance."""
    codes = _released_codes(target, name, known)
    shares = np.bincount(codes[codes >= 0], minlength=len(known.released)).astype(float)
    before = margin_before(shares / max(shares.sum(), 1.0), known.matrix)
    chance = posterior(before, known.matrix)
    best, sure = chance.argmax(axis=0), chance.max(axis=0)
    words = np.array([*(known.labels[i] for i in best), ""], dtype=object)
    at = np.where(rows >= 0, np.append(codes, -1)[rows], -1)
    return words[at], np.append(sure, 0.0)[at]
