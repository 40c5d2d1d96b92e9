"""Files made of others: records put below each other, and new records with the columns of a file that is there.

In come microdata and drawn columns; out come microdata. Read ``joined.py`` first.
"""
