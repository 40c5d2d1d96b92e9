"""Keys: how many records share a combination of values, and what follows from that.

In come integer codes; out come frequencies, risks and levels of generalisation. Read ``frequencies.py`` first.
"""
