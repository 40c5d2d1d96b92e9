"""Fast suppression: a safe and cheap pattern for tables of any size, by the cheapest moves of single cells.

In comes a problem; out comes a pattern without a proof of its cost. The kernels are in ``numeric/table_moves``. Read
``fast.py`` first, then ``move_search.py``.
"""
