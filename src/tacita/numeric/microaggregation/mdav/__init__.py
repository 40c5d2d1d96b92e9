"""MDAV: groups around the record farthest from the average, with the same result as the plain algorithm and far sooner.

In come a matrix and k; out comes a label for each record. Read ``mdav.py`` first; the other files are ways to find the
nearest of the records that are left.
"""
