"""Perturbation: noise on the cells of tables by transition matrices and cell keys, and what users are told about it.

In come counts, sums and the keys of the records behind them; out come perturbed tables in which the same set of respondents
always gets the same noise. Read ``transition_matrix.py`` first, then ``keyed_table.py`` and ``cell_key.py``.
"""
