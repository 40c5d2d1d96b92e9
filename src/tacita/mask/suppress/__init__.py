"""Suppression of single values: they are set missing until every record hides among others.

In come keys and a demand; out comes the file with gaps. Read ``local_suppression.py`` first.
"""
