"""The table itself: cells, the sums between them, and who contributed to what.

In come microdata, a file of any size or cells that somebody else has added up; out comes a ``Table``: a vector of values
with a sparse matrix of relations. Read ``table.py`` first, then ``relations.py`` and ``tabulate.py``.
"""
