"""Report: pictures and documents. Nothing else in the package draws.

In come releases, scorecards, protected tables and studies; out come HTML pages, charts and the two sides of a release on disk.
Read ``publish.py`` first, then ``facts.py`` and ``sections.py``.
"""
