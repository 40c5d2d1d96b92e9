"""Adjustment: the nearest additive table in which every unsafe cell has left its protection interval.

In come a table and its unsafe cells; out come changed values that add up, with a bound of how near they can be. Read
``adjust.py`` first, then ``tabular_adjustment.py``.
"""
