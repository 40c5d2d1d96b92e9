"""Regression overlap: whether a regression on the masked data leads to the conclusions of the original one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.errors import ColumnError
from tacita.core.parameters import ColumnName, Columns, Interval
from tacita.core.selectors import Selector
from tacita.core.traits import MeasureTraits
from tacita.data.measure import Measured
from tacita.data.pairing import Pair
from tacita.loss.base import Loss
from tacita.loss.user_model import Model, UserModel, column_terms

__all__ = ["RegressionOverlap"]


@dataclass(frozen=True, kw_only=True)
class RegressionOverlap(Loss):
    """How little the confidence intervals of regression coefficients overlap before and after masking.

    The same regression is fitted to the original and to the masked file. For each coefficient with confidence intervals
    (l, u) and (l', u') the overlap is ``J = 1/2 ((U - L) / (u - l) + (U - L) / (u' - l'))``, where (L, U) is their
    intersection, and 0 where they do not meet. The value is ``100 (1 - mean J)``.

    Parameters
    ----------
    columns
        The variables of the model; by default all numeric columns that describe the respondent. Nominal and ordinal
        columns enter as one 0-1 term for each category but the first.
    response
        The variable that is explained by the others; by default the last numeric one of ``columns``.
    model
        ``linear``, ``logistic``, or ``auto``: logistic where the response has two values in the original and no other
        ones in the masked file, otherwise linear.
    confidence
        Level of the confidence intervals.

    Returns
    -------
    Measured
        The value in percent. For each coefficient ``overlap.term``, J as a share, and ``difference.term``, the
        difference of the coefficients in standard errors of the original one.

    Raises
    ------
    MeasureError
        When the model cannot be fitted to the original: fewer complete records than terms, a response that is not
        numeric and has not two categories, groups that the other variables separate.

    Complexity
    ----------
    O(n q^2) time for q terms (times the number of Newton steps for a logistic model), O(n q) memory.

    Notes
    -----
    Records with a missing value in a variable of the model are left out, in each file its own; so are masked records
    with a category that the original does not have. Terms that are combinations of terms before them in the original
    are left out of both models. A coefficient that cannot be estimated from the masked file has overlap 0; where the
    whole model cannot, the value is 100. Intervals are those of Student's t for a linear and of the normal distribution
    for a logistic model; of a model that fits exactly they are points. The intercept counts like every coefficient. Terms
    of categories are named by the position of the category.

    References
    ----------
    Karr, A. F., Kohnen, C. N., Oganian, A., Reiter, J. P. and Sanil, A. P. (2006), A framework for evaluating the
    utility of data altered to protect confidentiality, The American Statistician 60, section 3.2.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> RegressionOverlap(columns=["age", "earnings", "tax"], response="tax")(data, data).value
    0.0
    """

    name = "regression_overlap"
    title = "Loss of regression estimates"
    part_units = (("overlap.*", "of 1"), ("difference.*", "standard errors"))
    traits = MeasureTraits(scales={"numeric", "nominal", "ordinal"}, unit="%", upper=100.0, by_default=False)
    columns: Columns = Selector("numeric columns")
    response: ColumnName | None = None
    model: Model = "auto"
    confidence: Annotated[float, Interval(0, 1, closed="neither")] = 0.95

    def measure(self, pair: Pair, names: tuple[str, ...]) -> Measured:
        """Return what is missing to complete overlap."""
        response = self._response(pair, names)
        terms = column_terms(pair, tuple(name for name in names if name != response))
        compared = UserModel.of(pair, response, terms, self.model, owner=type(self).__name__).compare(self.confidence)
        words = f"{compared.kind} regression of {response}"
        if any(compared.incomplete):
            of_original, of_masked = compared.incomplete
            words += f"; {of_original} original and {of_masked} masked records are incomplete"
        overlap = float(np.mean(list(compared.overlaps.values())))
        parts = {f"overlap.{name}": value for name, value in compared.overlaps.items()}
        parts |= {f"difference.{name}": value for name, value in compared.differences.items()}
        if not compared.is_fitted:
            words += "; none for the masked"
        return Measured(max(100 * (1 - overlap), 0.0), parts=parts, note=words)

    def _response(self, pair: Pair, names: tuple[str, ...]) -> str:
        if self.response is not None:
            owner, scales = type(self).__name__, frozenset(self.traits.scales)
            return pair.resolve((self.response,), owner=owner, scales=scales)[0]
        numeric = [name for name in names if pair.original.schema[name].scale == "numeric"]
        if not numeric:
            raise ColumnError("RegressionOverlap: none of the columns is numeric; name the 'response'.")
        return numeric[-1]
