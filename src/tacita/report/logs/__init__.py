"""Reports on anonymised query logs, and what writes a release with them.

In come a release of a log, its card and its verdict; out come two pages and a directory. Read ``publish_log.py`` first.
"""
