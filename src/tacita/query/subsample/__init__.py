"""Drop q: every universe loses a few records before anything is computed, and how well that stops differencing.

In come the row numbers of a universe, the strata of the data version and a secret key; out come the row numbers that
are kept, the same for ever for the same members. Read ``drop_q.py`` first. How often two universes that differ in one
record give that record away is computed in :mod:`tacita.numeric.dropping`.
"""
