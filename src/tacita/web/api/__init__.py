"""The HTTP API: the library's requests and answers at addresses, and nothing decided here that the library decides.

In come HTTP requests; out come the library's JSON forms, or one shape of refusal. Read ``reception.py`` first, where every
question passes, then ``app.py`` and ``routes.py``.
"""
