"""Perturbation: kernels that swap, multiply and draw values anew.

In come arrays and a random generator; out come arrays of the same shape. Read ``swaps.py`` first.
"""
