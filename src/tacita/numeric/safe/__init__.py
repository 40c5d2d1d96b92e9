"""SAFE: counts of a file in which every combination of categories has none or at least k records.

In come the counts of the elementary cells (the combinations of all variables that occur) and the controlled tables as sums of
them; out come counts in {0, k, k + 1, ...} with the same total and small deviations in the controlled tables, and which
record moves to which cell. Read ``state.py`` first, then ``sweep.py`` and ``search.py``.
"""
