"""Rounding: every cell becomes a multiple of a base, with or without its sums.

In come a table and its unsafe cells; out come rounded values, and what a reader still knows of every cell. Read ``round.py``
first, then ``controlled.py``.
"""
