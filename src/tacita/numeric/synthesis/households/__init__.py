"""Households of synthetic data: who lives together, how old they are beside each other, and then everything else.

In come columns of persons and their households; out come columns of new persons and new households. Read
``draw_households.py`` first.
"""
