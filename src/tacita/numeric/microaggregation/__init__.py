"""Partitions of records into groups of at least k: ways to make one, and what a group becomes.

In come a matrix and k; out comes a label for each record. MDAV stands in ``mdav``, the search for better partitions in
``improve``; everything else is one file each. Read ``partition.py`` first.
"""
