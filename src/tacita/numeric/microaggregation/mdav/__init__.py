"""MDAV: groups around the record farthest from the average, with the same result as the plain algorithm and far sooner.

In come a matrix and k; out comes a label for each record. Read ``mdav.py`` first; ``ahead.py`` and ``sweep.py`` answer its
questions early where a tree is slow.
"""
