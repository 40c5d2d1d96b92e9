"""Tables of answers: counts, percentages, means and totals by classes, with their standard errors, and quantiles from bins.

In come the records that are analysed and a request; out come cells as they are shown, after the policy's protection of cells.
Read ``cell_table.py`` first, then ``tabulate.py``.
"""

from tacita.query.tables.cell_table import CellTable

__all__ = ["CellTable"]
