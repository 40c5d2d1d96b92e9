"""Notebooks: what a result, a chart and long work look like under a cell.

In come results, charts and tasks; out come short pieces of HTML that need nothing from elsewhere and show no value of a record.
Read ``summaries.py`` first.
"""
