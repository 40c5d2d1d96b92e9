"""Differential privacy as one way to protect answers: fresh noise of known distribution, and an account of what it has cost.

Nothing here is keyed: the noise is OpenDP's own, so an answer must be kept and given again when the same request comes back.
In come whole numbers whose sensitivity is bounded by public limits; out come noisy ones and their costs. Read
``mechanisms.py`` first.
"""
