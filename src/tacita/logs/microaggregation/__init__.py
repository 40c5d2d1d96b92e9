"""Steps of semantic microaggregation: what users are interested in, what of it may leave, and the profile of a group.

In come a log, its topics and groups of users; out come profiles. Read ``interests.py`` first, then ``aggregation.py``.
"""
