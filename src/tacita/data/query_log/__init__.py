"""Query logs: who searched what, when, and which result was clicked.

In come logs in the form of AOL or tables with columns of any name; out comes a :class:`QueryLog`, with a count of the lines that
could not be read. Read ``query_log.py`` first.
"""
