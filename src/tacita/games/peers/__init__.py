"""The protocol for real: peers as processes that submit each other's queries, over lines that are authenticated and encrypted.

In come a roster with everybody's address and public key, one's own private key and a stream of queries; out come answers,
counts of what happened, and a measurement of what the back end learned. Read ``peer.py`` first, then ``decisions.py`` and
``noise.py``.
"""
