"""Measures of query logs: what is left of interests and frequencies, and who can be told again. One family a file.

In come a log, what was made of it and, for most, what a directory says of both; out comes a figure, with one value for each user
where that has meaning. Read ``semantic_remain.py`` first, then ``matched.py``.
"""
