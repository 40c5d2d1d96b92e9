"""Copies of a release for named recipients, each with a fingerprint inside the noise of the mask, and who leaked one of them.

In come a release, the noise of its mask, the names of recipients and a secret key; out come a copy for each and, for a leaked
file, the recipients that it names with the chance of an error. Read ``plan.py`` first, then ``copies.py`` and ``tracing.py``.
"""
