"""Calibration: new weights, as near as possible to the old ones, that give chosen totals."""

from __future__ import annotations

from dataclasses import dataclass

from tacita.core.errors import ParameterError
from tacita.core.streams import Streams
from tacita.core.traits import Traits
from tacita.data.microdata import Microdata
from tacita.mask.reweight.calibrating import CalibratingMask, weight_column
from tacita.mask.reweight.margins import Target

__all__ = ["Calibrate"]


@dataclass(frozen=True, kw_only=True)
class Calibrate(CalibratingMask):
    """Change the weights as little as possible so that chosen totals hold.

    With start weights ``d_k`` and values ``x_k`` the new weights solve ``min sum d_k G(w_k / d_k) / q_k`` subject to
    ``sum w_k x_k = T``. They are ``w_k = d_k F(q_k x_k'u)``, where the multipliers u come from Newton's method and F is 1 + v
    for ``linear``, exp v for ``raking``, an s-shaped curve between the bounds for ``logit``, and 1 + v kept within the
    bounds for ``truncated``.

    Protects nobody by itself: it repairs the totals of a file from which records were taken or in which values were
    changed. Does not protect against linkage; weights that are equal in no two records can even help an intruder.

    Parameters
    ----------
    targets
        Totals that are given, each as columns, labels and total: ``[[["sex", "age"], ["f", "-24"], 3300.0], ...]``. No
        labels means the weighted sum of a numeric column; an empty label is the missing category. A margin that is given
        here must not stand in ``margins``.
    like
        A file that the totals of ``margins`` and ``totals`` are taken from, weighted where it has the weight column of the
        data. Without it they are taken from the data themselves under their own weights, which changes weights only
        where ``initial`` says that they start from others, or where ``unit`` makes them equal in households.

    Raises
    ------
    ParameterError
        When bounds and distance do not fit, or a total is given twice.
    DataError
        When weights are negative or missing, a cell has a total but no record, margins clash with the bounds or with each
        other, or the linear distance gives a negative weight. The message names the margins and how many of their cells
        are meant; the cells themselves are in ``details``.

    Preserves
    ---------
    Every value except the weight, and the chosen totals to 1e-9.

    Complexity
    ----------
    O(n m) to find the cells of m margins; then O(g m^2 + p^3) for each of some ten Newton steps, with p totals and g
    combinations of cells that occur (g = n with numeric totals, households or scale factors), and a linear programme with
    g columns and p rows.

    Notes
    -----
    Whether the totals can be met within the bounds is decided by a linear programme before the first step. Collinear
    margins do no harm where they agree. Start weights of 0 stay 0. With ``unit`` a household starts with the mean weight of
    its members, and its members' values are added up. Margins are matched between files by the text of their categories.

    References
    ----------
    Deville, J.-C. and Särndal, C.-E. (1992), Calibration estimators in survey sampling; Deville, J.-C., Särndal, C.-E.
    and Sautory, O. (1993), Generalized raking procedures in survey sampling; Lemaître, G. and Dufour, J. (1987), An
    integrated method for weighting persons and families.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(400, seed=1)
    >>> even = Calibrate(margins=[["sex"], ["region"]], initial="equal").apply(data)
    >>> bool(abs(even.weights().sum() / data.weights().sum() - 1) < 1e-9)
    True
    """

    name = "calibrate"
    title = "Calibration of weights"
    no_attack = "it changes weights only; every value stays as it was"
    traits = Traits(scales={"numeric", "ordinal", "nominal", "date"}, reweights=True)
    targets: tuple[tuple[tuple[str, ...], tuple[str, ...], float], ...] = ()
    like: str | None = None

    def check(self) -> None:
        """Check that every total is given once."""
        super().check()
        given = [(columns, labels) for columns, labels, _ in self.targets]
        if len(set(given)) < len(given):
            raise ParameterError("Calibrate: 'targets' must give every total once.")
        both = [" x ".join(columns) for columns, _ in given if columns in self.margins]
        if both:
            raise ParameterError(
                f"Calibrate: the margin '{both[0]}' must stand in 'margins' or in 'targets', not in both."
            )
        odd = [columns for columns, labels in given if len(labels) != len(columns) and (labels or len(columns) > 1)]
        if odd:
            raise ParameterError(
                f"Calibrate: 'targets' must have one label for each column, or one column and no label, got "
                f"'{' x '.join(odd[0])}'."
            )

    def transform(self, data: Microdata, streams: Streams) -> Microdata:
        """Calibrate the weights."""
        name = weight_column(data, "Calibrate")
        design = data.weights()
        if len(data) == 0:
            return data
        given = tuple(Target(*target) for target in self.targets)
        wanted: tuple[Target, ...] = ()
        if self.asks_for_totals or self.like is not None or not given:
            source = data if self.like is None else _read(self.like)
            weighted = name in source.schema
            if self.like is not None and weighted:
                source = source.with_schema(source.schema.change(name, roles=("weight",)))
            wanted = self.wanted(source, source.weights())
        targets = (*wanted, *given)
        return self.reweighted(data, targets, design=design, size=_size(targets, float(design.sum()), self))


def _read(path: str) -> Microdata:
    from tacita.data.read import read

    return read(path)


def _size(targets: tuple[Target, ...], own: float, mask: Calibrate) -> float | None:
    """Return what the weights should add up to: the sum of the first margin; the data's own sum where all is theirs."""
    margin = next((target.columns for target in targets if not target.is_numeric), None)
    if margin is not None:
        return float(sum(target.total for target in targets if target.columns == margin and not target.is_numeric))
    return own if mask.like is None and not mask.targets else None
