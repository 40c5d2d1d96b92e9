"""Linear algebra modulo a prime: exact row spaces of 0/1 vectors, and small relations between columns.

In come column numbers and random generators; out come answers that hold over the rationals but for a stated, tiny chance.
Read ``row_space.py`` first, then ``small_sets.py``.
"""
