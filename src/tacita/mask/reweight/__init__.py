"""Reweighting: which records are kept and what each of them stands for.

In come weights and totals; out come other weights, and fewer records where a sample is drawn, with the totals kept. Read
``calibrate.py`` first; the mechanism is in ``calibrating.py``.
"""
