"""Nearest records: trees and scans that find them without looking at all pairs.

In come matrices of numbers; out come row numbers and distances. Read ``kd_tree.py`` first, then ``neighbours.py``.
"""
