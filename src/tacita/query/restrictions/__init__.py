"""Restrictions: which questions are not answered, one rule a file.

In comes a question with its universe, what was answered before, and what was computed; out comes a decision: allow,
deny or review, with a reason for the journal. Read ``restriction.py`` first.
"""

from tacita.query.restrictions.across_versions import AcrossVersions
from tacita.query.restrictions.budget import PrivacyBudget
from tacita.query.restrictions.cell_size import CellSize
from tacita.query.restrictions.combinations import Combinations
from tacita.query.restrictions.confidential_universe import ConfidentialUniverse
from tacita.query.restrictions.decompositions import Decompositions
from tacita.query.restrictions.differences import Differences
from tacita.query.restrictions.overlap import Overlap
from tacita.query.restrictions.related_models import RelatedModels
from tacita.query.restrictions.restriction import Restriction
from tacita.query.restrictions.row_audit import RowAudit
from tacita.query.restrictions.set_size import SetSize
from tacita.query.restrictions.single_values import SingleValues
from tacita.query.restrictions.small_marginals import SmallMarginals
from tacita.query.restrictions.sparsity import Sparsity
from tacita.query.restrictions.sum_audit import SumAudit
from tacita.query.restrictions.table_size import TableSize
from tacita.query.restrictions.universe_gamma import UniverseGamma
from tacita.query.restrictions.waits import Waits

__all__ = [
    "AcrossVersions",
    "CellSize",
    "Combinations",
    "ConfidentialUniverse",
    "Decompositions",
    "Differences",
    "Overlap",
    "PrivacyBudget",
    "RelatedModels",
    "Restriction",
    "RowAudit",
    "SetSize",
    "SingleValues",
    "SmallMarginals",
    "Sparsity",
    "SumAudit",
    "TableSize",
    "UniverseGamma",
    "Waits",
]
