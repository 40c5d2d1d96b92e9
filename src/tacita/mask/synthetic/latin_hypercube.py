"""Latin hypercube: a new file with one value in each slice of every column, paired so that rank correlations stay."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.traits import Traits
from tacita.mask.synthetic.latent_draw import LatentDraw
from tacita.numeric.synthesis.copula import latin_shares
from tacita.numeric.synthesis.latent import LatentFile

__all__ = ["LatinHypercube"]


@dataclass(frozen=True, kw_only=True)
class LatinHypercube(LatentDraw):
    """Draw a new file in which every column has its distribution evenly, with the rank correlations of the original.

    For n new records each column is cut into n slices of equal share, and one value is drawn in each slice by the column's
    smoothed quantile function. So distributions hardly differ from those of the original, while :class:`GaussianCopula` draws
    them with the error of a sample. The columns are then paired so that their rank correlations are those of the original.

    Protects against linkage: a new record comes from nobody; only margins and one number for each pair of columns enter. Does not
    protect against who knows nearly all values of a column, since its distribution is repeated closely, nor a value that
    dominates its k neighbours at an end of a column: top-code such values before. What is not monotone, three columns together,
    and rules between columns are lost.

    Complexity
    ----------
    O(n d (d + log n)) time for d columns, arrays of n times twice the columns.

    Notes
    -----
    The authors pair by Iman and Conover's method and improve the pairing as Florian does; here, too, the wanted correlations
    are moved by what the pairing lacks, until it lacks nothing more. They treat numbers only: classes, gaps and smoothing are
    those of :class:`GaussianCopula`. With ``redraw`` a record that equals one of the original is replaced by an independent draw.

    References
    ----------
    Dandekar, R. A., Cohen, M. and Kirkendall, N. (2002), Sensitive micro data protection using Latin hypercube sampling
    technique; Iman, R. L. and Conover, W. J. (1982), A distribution-free approach to inducing rank correlation among input
    variables; Florian, A. (1992), An efficient sampling scheme: updated Latin hypercube sampling.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.business_survey(300, seed=1)
    >>> made = LatinHypercube().apply(data, seed=7)
    >>> bool(abs(np.median(made.float("turnover")) / np.median(data.float("turnover")) - 1) < 0.05)
    True
    """

    name = "latin_hypercube"
    title = "Latin hypercube sampling"
    traits = Traits(scales={"numeric", "ordinal", "nominal", "date"}, stochastic=True, keeps_rows=False, synthetic=True)
    no_attack = "its records come from nobody, so that none can be linked"
    faces = ("closest_record", "shadow_membership", "attribute_cap", "singling_out")

    def draw_shares(self, file: LatentFile, n: int, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
        """Draw all records together."""
        return latin_shares(file, n, rng)
