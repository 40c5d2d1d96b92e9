"""Pictures of synthetic data: how far the tables of a file that was drawn are from those of the original.

In comes a scorecard; out come a chart and its words. Read ``tables_map.py`` first.
"""
