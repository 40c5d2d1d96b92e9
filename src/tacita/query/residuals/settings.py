"""The settings of residual plots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from tacita.core.constraints import Interval
from tacita.core.parameterised import Parameterised

__all__ = ["ResidualSettings"]


@dataclass(frozen=True, kw_only=True)
class ResidualSettings(Parameterised):
    """How residual plots are made.

    Parameters
    ----------
    sigma
        Noise of a record, in standard deviations of the residuals, that is the same in all models of a response.
    model_sigma
        Noise of a record that is different in every model and universe.
    point_sigma
        Noise of a single point of a scatter plot. It averages away and is no protection of a residual; it hides which points
        belong to one unit.
    df
        Degrees of freedom of the curve through the residuals, fixed beforehand.
    near
        The deviation is that of one of so many nearest units; 1 is the paper's nearest unit.
    count
        Fewest records behind a level, a bin, a value that keeps its mass, and either end of a synthetic variable.
    limit
        Residuals are cut off at this many standard deviations.
    points
        Most synthetic values of a numerical predictor; with fewer records there are as many as records.
    draws
        Most synthetic values of a categorical predictor; with fewer records there are as many as records.
    bins
        Most bins of a binned plot.
    winsor
        Percent at either end of a bin that binned box plots cut off.

    Notes
    -----
    The paper leaves sigma open. Standardised residuals have variance 1, and the rule that DataSHIELD uses for scatter plots asks
    for noise with a quarter of the variable's variance: 0.4^2 + 0.3^2 = 0.25. The layer that no averaging removes has the greater
    part. With one nearest unit, the places where the unit changes are the middles between neighbouring true values; ten near
    units, one of them drawn for each point, blur them. Where units lie far apart the points of one unit would still stand on one
    line, whose middle is the unit's place; the noise of the points scatters the line.

    Examples
    --------
    >>> settings = ResidualSettings(sigma=0.5)
    >>> settings.sigma, settings.points
    (0.5, 5000)
    """

    owner = "residuals"
    sigma: Annotated[float, Interval(0, 10)] = 0.4
    model_sigma: Annotated[float, Interval(0, 10)] = 0.3
    point_sigma: Annotated[float, Interval(0, 10)] = 0.2
    df: Annotated[float, Interval(2, 12)] = 5.0
    near: Annotated[int, Interval(1, 50)] = 10
    count: Annotated[int, Interval(1)] = 10
    limit: Annotated[float, Interval(0, closed="neither")] = 4.0
    points: Annotated[int, Interval(1, 100_000)] = 5_000
    draws: Annotated[int, Interval(1, 10_000_000)] = 100_000
    bins: Annotated[int, Interval(2, 100)] = 20
    winsor: Annotated[float, Interval(0, 25)] = 5.0
