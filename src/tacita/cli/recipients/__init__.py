"""Verbs around the recipients of a release: copies with fingerprints, leaks traced, and messages of marks that nobody can forge.

In come directories of releases and of copies, and leaked files; out come copies, names, and exit statuses. Read first
``fingerprint.py``.
"""
