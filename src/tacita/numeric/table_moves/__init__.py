"""Moves of table cells: changes of hidden cells that keep every published sum, which attackers and protectors alike look for.

In come relations as plain arrays and bounds; out comes the cheapest move of one cell, or a pattern made of such moves. Read
``cheapest_move.py`` first.
"""
