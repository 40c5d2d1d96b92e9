"""Record linkage: which original an intruder would take a masked record for.

In come two files as arrays; out come links, weights and how many intervals hold the truth. Read ``agreement.py`` first.
"""
