"""Differential privacy on plain numbers: what noise costs, and noise that is exact and can be repeated.

In come whole numbers, budgets and a random generator; out come noisy numbers and costs. Read ``cost.py`` first, then
``exact_noise.py``.
"""
