"""Content that is to be forgotten: fingerprinted copies with expiry dates, handed on by those who received them.

In come content, receivers and what forwarding and leaking are worth to them; out come copies whose marks their forwarders never
see, whoever leaked or kept a copy past its date, and when honest forwarding is an equilibrium. Read ``forwarding_game.py`` first,
then ``multicast.py``; the protocol stands in ``pseudonyms.py``, ``oblivious_transfer.py``, ``marked_copy.py`` and ``offices.py``.
"""
