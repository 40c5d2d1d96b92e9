"""Search: many recipes with several seeds each, and the frontier of those worth choosing from.

In come data, candidates and measures; out come points of a risk-utility map. Read ``search.py`` first.
"""
