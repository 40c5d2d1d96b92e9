"""Kernels of synthesis: new values drawn from what was fitted to the old ones.

In come arrays of old values and a random generator; out come arrays of new ones. Read ``ipso.py`` first.
"""
