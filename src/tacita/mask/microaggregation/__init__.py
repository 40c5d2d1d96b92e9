"""Microaggregation: groups of at least k similar records, each made one value.

In come numeric columns (of any scale in ``mixed_microaggregation.py``); out come group values. The mechanism around all of
them is in ``microaggregation.py``; read ``mdav.py`` first.
"""
