"""Topic directories: trees of categories, and what is filed under them.

In come the Open Directory's own dump, a table of paths, or WordNet; out come a :class:`CategoryTree` and its entries. Read
``directory.py`` first.
"""
