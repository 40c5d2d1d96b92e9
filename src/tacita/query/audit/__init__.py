"""Restriction and auditing: which sets of records may be asked about, judged by the sets alone and never by values.

In come row numbers of the members of a query and of those that were answered before; out come decisions: allow, deny, or free for
what adds nothing to earlier answers. Read ``sum_auditor.py`` first, then ``differences.py``.
"""
