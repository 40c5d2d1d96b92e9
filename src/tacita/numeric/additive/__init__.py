"""Additive counts: inner cells are changed by small steps until all sums of them lie near what they should be.

In come inner cells with the cells that each is counted in, and what every cell should be; out come whole inner cells, and with
them a table that adds up. Read ``goal.py`` first, then ``anneal.py``.
"""
