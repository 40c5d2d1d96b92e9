"""Pictures around the queryable database: cutpoints to choose from, residual plots of a regression.

In come bins and answers; out come charts that show nothing that the answer does not. Read ``residuals.py`` first.
"""
