"""Who sees what in a social network: sums over the users within a few links, and rounds of play one user after another.

In come adjacency lists and what each user shows at each distance; out come sums for each user and the choices after a round.
Read ``within.py`` first.
"""
