"""Noise of answers: cell keys, rounding, layers, noise on the input; differential privacy lives in ``dp``.

Everything but differential privacy is keyed: the same question about the same records gets the same noise for ever. In come
plain arrays (counts, totals, the exact sums of the members' record keys) and a secret key; out come the arrays that are
shown. Read ``set_numbers.py`` first, then ``cell_key.py``.
"""
