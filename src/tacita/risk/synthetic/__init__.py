"""Risks of records that are nobody's: whether a synthetic record tells of a person whose keys it has by chance or by copying.

In come an original and a masked or synthetic file, records of which need not be paired; out comes a percentage beyond chance.
Read ``matching_risk.py`` first, then ``citizen_match.py``.
"""
