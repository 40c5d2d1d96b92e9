"""Statistics of columns: moments, ranks, regressions, calibrated weights.

In come plain arrays; out come numbers and arrays. Whatever a mask and a measure both need is here once. Read ``moments.py``
first.
"""
