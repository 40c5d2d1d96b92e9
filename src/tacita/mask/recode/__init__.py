"""Recoding: values become coarser, everywhere alike or record by record.

In come categories, numbers and dates; out come groups, limits and multiples. Read ``global_recode.py`` first.
"""
