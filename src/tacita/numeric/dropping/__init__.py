"""Dropped records and differencing: how often two tables that lost records at random still show the one person between them.

In come the proportions or counts of a table and the number of records that universes lose; out come the probabilities of a
correct, an apparent and a wrong disclosure, by formula and by trial. Read ``probability.py`` first; both it and ``apparent.py``
stand on the kernel in ``agreement.py``, and ``differencing.py`` tries them out.
"""
