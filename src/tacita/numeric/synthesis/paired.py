"""Pairs of an original and a synthetic record, and what a mixture of both is.

The synthetic file is a Latin hypercube sample of the originals. Each original is paired with the synthetic record that is nearest
to it in standardised columns, and the two are mixed value by value, with the similarity a between 0 (the synthetic one) and 1:

    additive         x' = a x + (1 - a) s,
    multiplicative   x' = x^a s^(1-a),         for values above 0.

References
----------
Dandekar, R. A., Domingo-Ferrer, J. and Sebe, F. (2002), LHS-based hybrid microdata vs rank swapping and microaggregation for
numeric microdata protection, Lecture Notes in Computer Science 2316, 153-162.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.numeric.nearest.neighbours import nearest_records
from tacita.numeric.statistics.moments import standardise
from tacita.numeric.synthesis.column_values import ColumnValues
from tacita.numeric.synthesis.copula import latin_shares
from tacita.numeric.synthesis.latent import fit_latent

__all__ = ["Mixture", "hypercube_of", "mixed", "nearest_synthetic"]

Mixture = Literal["additive", "multiplicative"]


def hypercube_of(x: FloatArray, k: int, n: int, rng: np.random.Generator) -> FloatArray:
    """Return n synthetic records of k or more complete ones: a Latin hypercube sample with their rank correlations."""
    file = fit_latent([ColumnValues.of_numbers(column) for column in x.T], k)
    drawn = file.columns_at(latin_shares(file, n, rng)[0])
    return np.column_stack([column.values for column in drawn])


def nearest_synthetic(x: FloatArray, synthetic: FloatArray, like: FloatArray) -> FloatArray:
    """Return for each record the synthetic one nearest to it, columns standardised by those of ``like``."""
    places = nearest_records(
        np.ascontiguousarray(standardise(synthetic, like=like)), np.ascontiguousarray(standardise(x, like=like))
    )
    return np.asarray(synthetic[places])


def mixed(x: FloatArray, synthetic: FloatArray, similarity: float, mixture: Mixture) -> FloatArray:
    """Mix true and synthetic values; both must be above 0 for a multiplicative mixture.

    Examples
    --------
    >>> x, s = np.array([[4.0]]), np.array([[9.0]])
    >>> mixed(x, s, 0.2, "additive").tolist(), mixed(x, s, 0.5, "multiplicative").round(9).tolist()
    ([[8.0]], [[6.0]])
    """
    if mixture == "additive":
        return similarity * x + (1 - similarity) * synthetic
    return np.asarray(np.exp(similarity * np.log(x) + (1 - similarity) * np.log(synthetic)))
