"""Side by side: the same column of two files in codes or groups that mean the same in both.

In comes a pair of files; out come arrays of codes, one for each file. Read ``categories.py`` first, then ``groups.py``.
"""
