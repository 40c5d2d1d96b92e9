"""Query logs in files: bytes become lines, lines become fields, and fields the columns of a log.

In come text of one line a search, packed or not, Parquet, Arrow and lines of JSON; out come blocks of :class:`RawLines`, which a
:class:`GrowingLog` takes in, with what is broken counted. Read ``checked_lines.py`` first.
"""
