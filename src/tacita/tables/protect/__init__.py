"""What every protector shares: the problem as arrays, the shape of a protector, and its result.

In come a table and its unsafe cells; out comes a ``Protected`` table with its certificate. The methods themselves stand in
``suppression``, ``rounding`` and ``adjustment``. Read ``protector.py`` first, then ``problem.py``.
"""
