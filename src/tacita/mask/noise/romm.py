"""ROMM: random orthogonal matrices mix the records, and means and covariances stay exactly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from tacita.core.arrays import FloatArray
from tacita.core.attacks import Attack
from tacita.core.parameters import Interval
from tacita.core.traits import Traits
from tacita.mask.numeric_mask import Draw, JointMask

__all__ = ["Romm"]


@dataclass(frozen=True, kw_only=True)
class Romm(JointMask):
    """Mix records by random orthogonal matrices, so that means and covariances stay exactly.

    Records are cut at random into blocks. In each block ``Y = T X`` with a random orthogonal matrix T whose rows sum to 1, so
    that mean vector and covariance matrix of the block, and so of the file, are those of the original, whatever T is.

    Protects against exact matching of continuous values. Does not protect extremes well while ``sd_ratio`` is small, nor the
    covariance structure itself: everything that follows from means and covariances alone, such as a linear regression, is
    published exactly.

    Parameters
    ----------
    sd_ratio
        How far a record moves, in standard deviations of its column, to first order; large values mix blocks completely.
    block_size
        Records in a block; larger blocks take longer. A file, stratum or pattern of missing values with fewer is one block.

    Raises
    ------
    ParameterError
        When ``sd_ratio`` is negative or ``block_size`` below 3.

    Preserves
    ---------
    Nothing that holds for every input: mean vector and covariance matrix stay exactly with ``decimals="any"`` where no value is
    missing and none meets a declared bound, and to the rounding of the values otherwise.

    Complexity
    ----------
    O(n b^2 + n b d) time for blocks of b records, a few arrays of the size of the data.

    Notes
    -----
    One matrix for the whole file would take O(n^3); blocks keep the same moments in O(n b^2). The matrix is the orthogonal factor
    of ``I + s G`` with a normal matrix G and ``s = sd_ratio / sqrt(b - 1)``, restricted to matrices that keep the vector of ones:
    without that, means would move. Records with different patterns of missing values are mixed among themselves. A value
    that would lie beyond a declared bound is reflected there.

    References
    ----------
    Ting, D., Fienberg, S. E. and Trottini, M. (2008), Random orthogonal matrix masking methodology for microdata release.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> masked = Romm(columns=["age", "savings"], sd_ratio=0.2).apply(data, seed=7)
    """

    name = "romm"
    title = "Random orthogonal matrices (ROMM)"
    attacks = (
        Attack(
            measure="dld",
            knows="records were mixed at random and moved by about {sd_ratio:g} standard deviations",
            settings={"distance": "mahalanobis"},
        ),
    )
    faces = ("distance_link", "probabilistic_link", "two_release_average")
    traits = Traits(scales={"numeric"}, stochastic=True)
    advice = "use a larger sd_ratio, or larger strata"
    sd_ratio: Annotated[float, Interval(0)] = 0.1
    block_size: Annotated[int, Interval(3, 2000)] = 100

    def mask_records(self, x: FloatArray, names: tuple[str, ...], draw: Draw) -> FloatArray:
        """Rotate random blocks of the records."""
        from tacita.numeric.statistics.rotations import block_rows, rotated  # loads when used

        rng = draw.joint(names)
        return rotated(x, block_rows(len(x), self.block_size, rng), self.sd_ratio, rng)
