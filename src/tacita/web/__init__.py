"""HTTP API and pages: a thin skin over query.

In come requests of people and programs, each with a token or an address; out come answers, refusals and pages. Who may ask, and
how much, is decided in ``accounts/``. Read ``accounts/accounts.py`` first.
"""
