"""Semantic microaggregation of query logs against the paper's figures and against its rivals.

In come a log and a topic directory, or the package's own; out come Figures 2, 3 and 4 in the paper's form, and a table of
methods. Read ``study.py`` first.
"""
