"""Access by indirect relationships, without the owner learning who trusts whom, how much, or who asked.

In come trust levels between friends and the least trust that a resource asks for; out come a decision, and what each party saw.
Read ``access.py`` first, then ``elgamal.py``.
"""
