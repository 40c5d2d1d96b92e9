"""Regression attacks: what linear models tell of single respondents, with columns of the user's making or in a server's words.

In come a remote access that fits models, or a server that takes published variables only, and what is known of victims; out come
claims about a number of each. Read ``question.py`` first, then ``strategic_dummies.py``.
"""

from tacita.attack.regression.artificial_outliers import ArtificialOutliers
from tacita.attack.regression.covariance_attack import CovarianceAttack
from tacita.attack.regression.fit_difference import FitDifference
from tacita.attack.regression.knowledge import RegressionTarget
from tacita.attack.regression.question import MadeColumn, ModelQuestion
from tacita.attack.regression.saturated_model import SaturatedModel
from tacita.attack.regression.split_leverage import SplitLeverage
from tacita.attack.regression.strategic_dummies import StrategicDummies

__all__ = [
    "ArtificialOutliers",
    "CovarianceAttack",
    "FitDifference",
    "MadeColumn",
    "ModelQuestion",
    "RegressionTarget",
    "SaturatedModel",
    "SplitLeverage",
    "StrategicDummies",
]
