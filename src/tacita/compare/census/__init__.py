"""Which way for a census: the ways to protect counts tried on declared tables, and measured alike.

In come records, a declared set of tables and a secret key; out comes one row for each way: deviation, cells hidden, sums,
agreement of tables, what attackers find, time. Read ``compare_census.py`` first, then ``census_ways.py``.
"""
