"""SAFE: a file of categories in which every combination has none or at least k records.

In come microdata and the tables that matter; out come microdata from which every table is additive, consistent and free of
small counts, with small deviations in the tables that matter. Read ``safe.py`` first; ``safe_certificate.py`` counts again
what it promises, ``exact_safe.py`` solves small cases exactly.
"""
