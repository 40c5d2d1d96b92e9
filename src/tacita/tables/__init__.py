"""Tables: model, sensitivity rules, protectors, and an auditor that trusts none of them.

In come records or cells; out come protected tables with a certificate of what every attacker can still learn. Read
``model/table.py`` first, then ``rules/rule.py``, ``protect/protector.py`` and ``auditor/audit.py``.
"""

from tacita.core.moved import moved
from tacita.tables.additive.additive_counts import AdditiveCounts, AdditiveTable
from tacita.tables.additive.consistency import Consistency, consistency
from tacita.tables.additive.consistent_tables import ConsistentSet, ConsistentTables
from tacita.tables.additive.declared_set import DeclaredSet, declare
from tacita.tables.additive.nearest_bound import nearest_bound
from tacita.tables.additive.proportional_fit import proportional_fit
from tacita.tables.adjustment.additivity import restore_additivity
from tacita.tables.adjustment.adjust import Adjust
from tacita.tables.auditor.audit import audit, infeasible
from tacita.tables.auditor.audit_published import PublishedAudit, audit_published
from tacita.tables.auditor.certificate import Certificate, Leak
from tacita.tables.files.apriori import read_apriori
from tacita.tables.files.jj import read_jj, write_jj
from tacita.tables.files.publish_counts import publish_counts
from tacita.tables.files.read_counts import CountSet, read_counts
from tacita.tables.files.read_write import TableFile, read_table, write_table
from tacita.tables.files.sdmx_csv import sdmx_rows, write_sdmx
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.from_cells import table_from_cells
from tacita.tables.model.grid import all_cells
from tacita.tables.model.infer import infer_dimension, infer_from_codes
from tacita.tables.model.link import link
from tacita.tables.model.means import Means, means
from tacita.tables.model.table import Table
from tacita.tables.model.tabulate import tabulate, tabulate_means
from tacita.tables.perturbation.cell_key import CellKey
from tacita.tables.perturbation.invariant_counts import InvariantMatrix
from tacita.tables.perturbation.key_use import KeyUse
from tacita.tables.perturbation.keyed_table import KeyedTable, keyed_table
from tacita.tables.perturbation.transition_matrix import TransitionMatrix
from tacita.tables.perturbation.user_information import inform_users
from tacita.tables.perturbation.zero_disclosure import zero_disclosure
from tacita.tables.protect.problem import Problem
from tacita.tables.protect.protected import Protected
from tacita.tables.protect.protector import Protector, make_problem
from tacita.tables.protect.utility import table_utility
from tacita.tables.readers.count_intervals import SolvedCounts, Undone, solve_counts
from tacita.tables.readers.geography_differences import DifferencesTold, GeographyDifferences, geography_differences
from tacita.tables.readers.split_averages import SplitAverages, average_splits
from tacita.tables.rounding.round import Round
from tacita.tables.rules.apriori import Apriori
from tacita.tables.rules.danger import Danger, dangers
from tacita.tables.rules.dominance import Dominance
from tacita.tables.rules.minimum_frequency import MinimumFrequency
from tacita.tables.rules.named_cells import NamedCells
from tacita.tables.rules.p_percent import PQ, PPercent
from tacita.tables.rules.request import Request
from tacita.tables.rules.rule import Rule, Rules
from tacita.tables.rules.unsafe import Unsafe
from tacita.tables.rules.unsafe_codes import UnsafeCodes
from tacita.tables.rules.unsafe_zero import UnsafeZero
from tacita.tables.suppression.suppress import Suppress

__all__ = [
    "PQ",
    "AdditiveCounts",
    "AdditiveTable",
    "Adjust",
    "Apriori",
    "CellKey",
    "Certificate",
    "Consistency",
    "ConsistentSet",
    "ConsistentTables",
    "CountSet",
    "Danger",
    "DeclaredSet",
    "DifferencesTold",
    "Dimension",
    "Dominance",
    "GeographyDifferences",
    "InvariantMatrix",
    "KeyUse",
    "KeyedTable",
    "Leak",
    "Means",
    "MinimumFrequency",
    "NamedCells",
    "PPercent",
    "Problem",
    "Protected",
    "Protector",
    "PublishedAudit",
    "Request",
    "Round",
    "Rule",
    "Rules",
    "SolvedCounts",
    "SplitAverages",
    "Suppress",
    "Table",
    "TableFile",
    "TransitionMatrix",
    "Undone",
    "Unsafe",
    "UnsafeCodes",
    "UnsafeZero",
    "all_cells",
    "audit",
    "audit_published",
    "average_splits",
    "consistency",
    "dangers",
    "declare",
    "geography_differences",
    "infeasible",
    "infer_dimension",
    "infer_from_codes",
    "inform_users",
    "keyed_table",
    "link",
    "make_problem",
    "means",
    "nearest_bound",
    "proportional_fit",
    "publish_counts",
    "read_apriori",
    "read_counts",
    "read_jj",
    "read_table",
    "restore_additivity",
    "sdmx_rows",
    "solve_counts",
    "table_from_cells",
    "table_utility",
    "tabulate",
    "tabulate_means",
    "write_jj",
    "write_sdmx",
    "write_table",
    "zero_disclosure",
]

__getattr__ = moved("tacita.tables", {"grid": "tacita.tables.all_cells"})


def __dir__() -> list[str]:
    return list(__all__)
