"""A topic directory and query logs that the package makes itself: who wants what, and in which words they ask for it.

In come outlines of topics, a number of users and a seed; out come a directory, and a log with the truth about each line. Read
``query_log.py`` first, for the topics ``outline.py``.
"""
