"""Attacks on tables: hidden cells from the sums, changed cells from the sums and the bound of the change, and differences.

In come published cells, the sums between them and what contributors know; out come claims about cells and contributors. Read
``hidden_cells.py`` first.
"""

from tacita.attack.tables.bounded_noise import BoundedNoise
from tacita.attack.tables.fitted_counts import FittedCounts
from tacita.attack.tables.hidden_cells import HiddenCells
from tacita.attack.tables.rounded_cells import RoundedCells
from tacita.attack.tables.table_difference import TableDifference

__all__ = ["BoundedNoise", "FittedCounts", "HiddenCells", "RoundedCells", "TableDifference"]
