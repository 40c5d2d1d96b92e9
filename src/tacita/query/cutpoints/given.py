"""Given cutpoints: the steward declares them, and no record has a say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.constraints import Length
from tacita.query.cutpoints.bins import Bins
from tacita.query.cutpoints.method import Cutpoints

__all__ = ["Given"]


@dataclass(frozen=True, kw_only=True)
class Given(Cutpoints):
    """Use cutpoints that are public already, such as the age groups of a census or the brackets of a tax.

    The values are not looked at. This is what differential privacy needs: cutpoints that were made from the data would
    tell of the data outside of the budget.

    Protects against everything that cutpoints made from data tell. Does not protect against small bins: the rules for tables and
    universes must.

    Parameters
    ----------
    edges
        Cutpoints in ascending order; the first bin is up to the first, the last above the last.
    whole
        Whether the variable has whole numbers only.

    Raises
    ------
    ParameterError
        When edges do not ascend, or do not lie between ``low`` and ``high``.

    Examples
    --------
    >>> Given(edges=[17, 24, 64], whole=True).cut(np.array([])).labels
    ('up to 17', '18 to 24', '25 to 64', 'above 64')
    """

    name = "given"
    from_data = False
    edges: Annotated[tuple[float, ...], Length(1)]
    whole: bool = False

    def check(self) -> None:
        """Build the bins once, so that what is wrong is said at once."""
        self.cut(np.zeros(0))

    def cut(self, values: FloatArray) -> Bins:
        """Return the declared bins; the values are not looked at."""
        del values
        return Bins(cuts=self.edges, whole=self.whole, low=self.low, high=self.high)
