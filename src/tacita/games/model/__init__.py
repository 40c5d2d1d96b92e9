"""Finite games: players, their strategies, and what each profile is worth to each player.

In come matrices, a function or a small file; out come a game and what its utilities say before anybody solves it: best
responses, dominated strategies, profiles that nobody can improve on. Read ``game.py`` first.
"""
