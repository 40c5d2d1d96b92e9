"""The auditor: what every attacker can learn from a published table, proven; it trusts no protector.

In come a problem and a pattern, whoever made them; out comes a certificate with an interval for every hidden cell. Read
``audit.py`` first, then ``attacker.py``.
"""
