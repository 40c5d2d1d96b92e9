"""Noise: each value plus or times a random error.

In come numeric columns; out come the same with errors whose moments are known. Read ``additive_noise.py`` first.
"""
