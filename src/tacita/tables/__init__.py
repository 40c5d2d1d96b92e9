"""Tables: model, sensitivity rules, protectors, and an auditor that trusts none of them."""

from tacita.tables.additivity import restore_additivity
from tacita.tables.adjust import Adjust
from tacita.tables.apriori import Apriori
from tacita.tables.audit import audit, infeasible
from tacita.tables.audit_published import PublishedAudit, audit_published
from tacita.tables.certificate import Certificate, Leak
from tacita.tables.danger import Danger, dangers
from tacita.tables.dimension import Dimension
from tacita.tables.dominance import Dominance
from tacita.tables.files.apriori import read_apriori
from tacita.tables.files.jj import read_jj, write_jj
from tacita.tables.files.read_write import TableFile, read_table, write_table
from tacita.tables.from_cells import table_from_cells
from tacita.tables.grid import grid
from tacita.tables.infer import infer_dimension, infer_from_codes
from tacita.tables.link import link
from tacita.tables.means import Means, means
from tacita.tables.minimum_frequency import MinimumFrequency
from tacita.tables.named_cells import NamedCells
from tacita.tables.p_percent import PQ, PPercent
from tacita.tables.problem import Problem
from tacita.tables.protected import Protected
from tacita.tables.protector import Protector, make_problem
from tacita.tables.request import Request
from tacita.tables.round import Round
from tacita.tables.rule import Rule, Rules
from tacita.tables.suppress import Suppress
from tacita.tables.table import Table
from tacita.tables.tabulate import tabulate, tabulate_means
from tacita.tables.unsafe import Unsafe
from tacita.tables.unsafe_codes import UnsafeCodes
from tacita.tables.unsafe_zero import UnsafeZero
from tacita.tables.utility import table_utility

__all__ = [
    "PQ",
    "Adjust",
    "Apriori",
    "Certificate",
    "Danger",
    "Dimension",
    "Dominance",
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
    "Suppress",
    "Table",
    "TableFile",
    "Unsafe",
    "UnsafeCodes",
    "UnsafeZero",
    "audit",
    "audit_published",
    "dangers",
    "grid",
    "infeasible",
    "infer_dimension",
    "infer_from_codes",
    "link",
    "make_problem",
    "means",
    "read_apriori",
    "read_jj",
    "read_table",
    "restore_additivity",
    "table_from_cells",
    "table_utility",
    "tabulate",
    "tabulate_means",
    "write_jj",
    "write_table",
]
