"""Tables that the tests of forms share."""

from __future__ import annotations

import numpy as np

from tacita.query.tables.cell_table import CellTable

__all__ = ["counts", "hostile", "means"]


def counts() -> CellTable:
    """Counts of two variables, one cell without a value."""
    classes = {"sex": ("f", "m"), "size": ("up to 2", "above 2", "(missing)")}
    return CellTable(("sex", "size"), classes, "count", np.array([[3.0, 0.0, np.nan], [5.0, 1.0, 2.0]]))


def means() -> CellTable:
    """Means with standard errors; one cannot be relied on, one is not there."""
    values, errors = np.array([-1.25, 2.0, np.nan]), np.array([0.1, 1.9, np.nan])
    return CellTable(("health",), {"health": ("good", "fair", "bad")}, "mean", values, errors)


def hostile() -> CellTable:
    """Names and classes that a spreadsheet would run, that need quotation marks, or that are of another alphabet."""
    classes = {"=cmd": ("=1+1", "+a", "-9", "@x"), "a,b": ('say "no"', "two\r\nlines", "北", "é")}
    return CellTable(("=cmd", "a,b"), classes, "percent", np.arange(16.0).reshape(4, 4) - 8)
