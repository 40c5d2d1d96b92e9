"""Swapping: values change places between records, so that every column keeps its distribution.

In come columns; out come the same values in another order. Read ``rank_swap.py`` first.
"""
