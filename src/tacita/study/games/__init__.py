"""The open question of coprivacy: under which conditions help is in the helper's own interest, over random games.

In come distributions of utilities; out come probabilities of coprivacy beside closed forms, pictures and a page. Read
``request_model.py`` first, then ``delta_coprivacy.py``.
"""
