"""Conventional rounding: every cell for itself, to the nearest multiple or at random; the sums no longer hold."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import ParameterError

__all__ = ["conventional_rounding", "random_rounding"]


NEAR = 1e-9
"""A quotient this close to a whole number, as a share of it, counts as whole."""


def conventional_rounding(values: FloatArray, *, base: float) -> FloatArray:
    """Round every cell to its nearest multiple of a base. The rounded table is **not additive**.

    ``x = base * floor(a / base + 1/2)`` for ``a >= 0``, and the same mirrored for negative values.

    Protects small counts as far as a value stands for all values within half a base. Does not protect cells whose rounded
    parts and total contradict each other: a total of 10 over three parts of 0 says that the parts are near 1/2 base each.
    Use :func:`tacita.tables.rounding.controlled.controlled_rounding` where sums must hold.

    Parameters
    ----------
    values
        (n,): values.
    base
        Cells become multiples of it.

    Returns
    -------
    ndarray
        (n,): multiples of the base; a multiple stays as it is.

    Raises
    ------
    ParameterError
        When the base is not positive.

    Complexity
    ----------
    O(n).

    Notes
    -----
    A value half way between two multiples goes away from zero, as statistical offices round by hand; rounding half to
    even would make the result depend on the parity of the multiple below.

    Examples
    --------
    >>> conventional_rounding(np.array([1.0, 2.5, 4.0, 5.0, -7.5]), base=5).tolist()
    [0.0, 5.0, 5.0, 5.0, -10.0]
    """
    steps = _steps(values, base)
    size = np.abs(steps)
    # A half that carries rounding noise is still a half.
    return np.asarray(np.sign(steps) * np.floor(size + 0.5 + NEAR * np.maximum(size, 1.0)) * base) + 0.0


def random_rounding(values: FloatArray, *, base: float, rng: np.random.Generator) -> FloatArray:
    """Round every cell at random to the multiple below or above it, without bias. The table is **not additive**.

    ``P(up) = (a - below) / base``, so that the expected value of a rounded cell is the cell itself. Zeros and other
    multiples stay as they are.

    Protects against exact differences between tables. Does not protect against averaging: whoever gets the same table
    rounded with many seeds finds the values.

    Parameters
    ----------
    values
        (n,): values.
    base
        Cells become multiples of it.
    rng
        Random stream.

    Returns
    -------
    ndarray
        (n,): multiples of the base, each less than a base away from its value.

    Raises
    ------
    ParameterError
        When the base is not positive.

    Complexity
    ----------
    O(n).

    References
    ----------
    Willenborg, L. and de Waal, T. (2001), Elements of statistical disclosure control, section 9.

    Examples
    --------
    >>> random_rounding(np.array([0.0, 5.0, 10.0]), base=5, rng=np.random.default_rng(1)).tolist()
    [0.0, 5.0, 10.0]
    """
    steps = _steps(values, base)
    whole = np.rint(steps)
    is_multiple = np.abs(steps - whole) <= NEAR * np.maximum(1.0, np.abs(steps))
    below = np.floor(steps)
    drawn = below + (rng.random(len(steps)) < steps - below)
    return np.asarray(np.where(is_multiple, whole, drawn) * base) + 0.0


def _steps(values: FloatArray, base: float) -> FloatArray:
    if not (np.isfinite(base) and base > 0):
        raise ParameterError(f"Rounding: 'base' must be positive, got {base!r}.")
    return np.asarray(values, np.float64) / base
