"""Losses: what masking took away from the data. One measure family a file; importing this room registers them all.

In come original and masked data, paired or not; out comes a number, 0 for no loss. Read ``base.py`` first, then
``mean_variation.py``.
"""

from tacita.loss.analytical_validity import Validity
from tacita.loss.base import Loss
from tacita.loss.categorical import DirectCategorical
from tacita.loss.components import IlTable
from tacita.loss.contingency import Contingency
from tacita.loss.entropy import Entropy
from tacita.loss.interval_overlap import IntervalOverlap
from tacita.loss.mean_variation import Il1, Il1s
from tacita.loss.moments import IlMoments
from tacita.loss.open_range import OpenRange
from tacita.loss.probabilistic import Pil
from tacita.loss.propensity import Pmse
from tacita.loss.regression import RegressionOverlap
from tacita.loss.table_pmse import TablePmse

__all__ = [
    "Contingency",
    "DirectCategorical",
    "Entropy",
    "Il1",
    "Il1s",
    "IlMoments",
    "IlTable",
    "IntervalOverlap",
    "Loss",
    "OpenRange",
    "Pil",
    "Pmse",
    "RegressionOverlap",
    "TablePmse",
    "Validity",
]


def __dir__() -> list[str]:
    """Return the losses alone; the other names of the room are in ``__all__`` and in the reference."""
    return [
        name for name in __all__ if isinstance(it := globals()[name], type) and issubclass(it, Loss) and it is not Loss
    ]
