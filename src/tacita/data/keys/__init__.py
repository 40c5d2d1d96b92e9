"""Keys: how often combinations of key values occur in a file.

In come data or a file and the names of keys; out come distinct patterns with their counts. Read ``patterns.py`` first.
"""
