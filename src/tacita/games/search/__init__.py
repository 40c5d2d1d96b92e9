"""Anonymous search with the help of others (section 4), its rivals, and what each hides from a profiler.

In come a query log and rules; out come who submitted what, entropies over time, and what named attackers learn. Read
``community.py`` first, then ``play.py``; ``comparison.py`` puts all ways side by side.
"""
