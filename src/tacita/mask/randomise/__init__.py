"""Randomisation: categories and records drawn anew by known chances.

In come columns; out come values drawn from matrices, from samples or from other records. Read ``pram.py`` first.
"""
