"""Fingerprints of copies: a code that holds against coalitions, marks inside the noise of a file, who a leaked file points at.

In come arrays of numbers and random generators; out come codewords, two variants of each marked cell, scores of recipients, and
bounds on the chance that an innocent one is named. Read ``tardos.py`` first, then ``innocent.py`` and ``variants.py``.
"""
