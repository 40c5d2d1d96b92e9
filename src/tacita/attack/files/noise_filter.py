"""Noise filtered: columns that go together tell which part of a noisy value is noise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.random import Generator

from tacita.attack.claims import Claims
from tacita.attack.files.links import LinkingAttack, Links, claims_of_links, link_by_cost
from tacita.attack.targets import FileTarget, KnownStep
from tacita.core.arrays import FloatArray
from tacita.core.traits import AttackTraits
from tacita.numeric.statistics.moments import column_mean, covariance
from tacita.numeric.statistics.noise_removal import bayes_estimate, spectral_estimate

__all__ = ["NoiseFilter", "noise_of"]

_APART = ("additive_noise",)
_TOGETHER = ("correlated_noise",)


def noise_of(step: KnownStep, names: tuple[str, ...], whole: FloatArray) -> FloatArray:
    """Return the covariance matrix of the noise in some columns, given the step and the covariance matrix of what was released.

    Noise of a standard deviations multiplies a variance by ``1 + a^2``, so its own is ``a^2 / (1 + a^2)`` of what is seen.
    """
    ratio = float(step.parameters.get("sd_ratio", 0.0)) ** 2
    share = ratio / (1 + ratio)
    masked = np.array([name in step.columns for name in names])
    part = whole if step.name in _TOGETHER else np.diag(np.diag(whole))
    return np.asarray(share * part * np.outer(masked, masked))


@dataclass(frozen=True, kw_only=True)
class NoiseFilter(LinkingAttack):
    """Take noise out of released values by what the columns have in common.

    Noise of a known size that is drawn for each column apart does not go along with the data: the covariance matrix of the
    data is that of the release less that of the noise. ``bayes`` gives the expected record behind a noisy one; what is
    known of the victim counts as a column without noise. ``spectral`` drops the directions in which there is no more than
    noise would have by itself.

    Parameters
    ----------
    filtering
        ``bayes`` or ``spectral``.

    Returns
    -------
    Claims
        Of every wanted column; of noisy ones the filtered value. Among the figures: the share of the
        noise's variance that the filter takes out, by the attacker's own reckoning.

    Complexity
    ----------
    O(n d^2 + d^3), and O(v n d) to link v victims to n records.

    Notes
    -----
    Victims are linked by distance first, so that what is said includes mistakes of linkage. Noise with the correlations of the
    data (``correlated_noise``) leaves little to filter; there the filter only shrinks values towards the mean. Numbers that are
    known of a victim enter ``bayes`` only.

    References
    ----------
    Kargupta, H., Datta, S., Wang, Q. and Sivakumar, K. (2003), On the privacy preserving properties of random data
    perturbation techniques; Huang, Z., Du, W. and Chen, B. (2005), Deriving private information from randomized data.

    Examples
    --------
    >>> import tacita as tc
    >>> from tacita.attack.judge.stage_file import stage_file
    >>> data = tc.samples.business_survey(400, seed=1)
    >>> masked = tc.mask.AdditiveNoise(columns=["turnover", "wages", "energy"], sd_ratio=0.05).apply(data, seed=7)
    >>> known = tc.Scenario(keys=["activity", "region", "employees"], known=["exports"])
    >>> staged = stage_file(data, masked, scenario=known, wanted=["turnover"])
    >>> [claim.about for claim in NoiseFilter().run(staged.target, __import__("numpy").random.default_rng(1))]
    ['turnover']
    """

    name = "noise_filter"
    title = "Filtering of additive noise"
    traits = AttackTraits(
        against="file",
        learns="value",
        knows="some true values of each victim, and how large the noise is",
        breaks="independent noise in columns that go together",
        held_by="noise that is large beside what the columns have in common",
        of_any=False,
    )
    filtering: Literal["bayes", "spectral"] = "bayes"

    def declined(self, target: FileTarget) -> str:
        """Return why it cannot be tried: a wanted column must have noise of a known size."""
        step = _noisy(target)
        if step is None:
            return "Nothing says that noise was added, and how much."
        if not set(step.columns) & set(target.wanted):
            return "No wanted column has noise."
        return super().declined(target)

    def links(self, target: FileTarget, rng: Generator) -> Links:
        """Take the nearest record."""
        return link_by_cost(target, self.linked_by(target), rng)[0]

    def run(self, target: FileTarget, rng: Generator) -> tuple[Claims, ...]:
        """Link, then filter the linked records."""
        links, step = self.links(target, rng), _noisy(target)
        if step is None:
            return claims_of_links(target, links)
        names = tuple(c.name for c in target.released.schema if c.scale == "numeric")
        seen = target.released.floats(names)
        mean, whole = column_mean(seen), covariance(seen)
        noise = noise_of(step, names, whole)
        of_victims = np.vstack([seen, np.full((1, len(names)), np.nan)])[links.rows]
        if self.filtering == "bayes":
            found = self._by_bayes(target, names, of_victims, mean, whole, noise)
        else:
            found = _by_spectrum(names, step, len(seen), of_victims, mean, whole, noise)
        said = {
            name: np.where(links.rows >= 0, found[:, names.index(name)], np.nan)
            for name in target.wanted
            if name in names
        }
        taken = _share_taken(step, names, whole, noise)
        return tuple(
            Claims(
                about=claim.about,
                said=claim.said,
                is_sure=claim.is_sure,
                learned=f"The filter takes out {100 * taken:.0f} % of the variance of the noise, by its own reckoning.",
                figures={"share of the noise taken out": taken},
            )
            for claim in claims_of_links(target, links, said)[1:]
        )

    @staticmethod
    def _by_bayes(
        target: FileTarget,
        names: tuple[str, ...],
        seen: FloatArray,
        mean: FloatArray,
        whole: FloatArray,
        noise: FloatArray,
    ) -> FloatArray:
        """Estimate with what is known of each victim as further columns, which have no noise."""
        d = len(names)
        sure = [name for name in target.known.names if name in names and target.known.schema[name].scale == "numeric"]
        at = [*range(d), *(names.index(name) for name in sure)]
        signal = (whole - noise)[np.ix_(at, at)]
        wide = np.zeros(signal.shape)
        wide[:d, :d] = noise
        both = np.hstack([seen, target.known.floats(sure)]) if sure else seen
        return bayes_estimate(both, mean[at], signal, wide)[:, :d]


def _noisy(target: FileTarget) -> KnownStep | None:
    """Return the first step that added noise of a known size."""
    return next((step for step in target.steps if step.name in (*_APART, *_TOGETHER)), None)


def _by_spectrum(
    names: tuple[str, ...],
    step: KnownStep,
    records: int,
    of_victims: FloatArray,
    mean: FloatArray,
    whole: FloatArray,
    noise: FloatArray,
) -> FloatArray:
    """Filter the noisy columns in units of their noise; all others stay as they are."""
    noisy = np.array([j for j, name in enumerate(names) if name in step.columns and noise[j, j] > 0], np.int64)
    found = of_victims.copy()
    if len(noisy):
        unit = np.sqrt(np.diag(noise)[noisy])
        full = np.flatnonzero(~np.isnan(of_victims[:, noisy]).any(axis=1))
        scaled = whole[np.ix_(noisy, noisy)] / np.outer(unit, unit)
        made = spectral_estimate(of_victims[np.ix_(full, noisy)] / unit, mean[noisy] / unit, scaled, 1.0, records)
        found[np.ix_(full, noisy)] = made * unit
    return found


def _share_taken(step: KnownStep, names: tuple[str, ...], whole: FloatArray, noise: FloatArray) -> float:
    """Return which share of the variance of the noise, in units of each column, the best filter takes out."""
    noisy = [j for j, name in enumerate(names) if name in step.columns and noise[j, j] > 0]
    if not noisy:
        return 0.0
    left = noise - noise @ np.linalg.pinv(whole, hermitian=True) @ noise
    return float(np.clip(1 - np.mean(np.diag(left)[noisy] / np.diag(noise)[noisy]), 0.0, 1.0))
