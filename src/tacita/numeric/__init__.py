"""Kernels on plain arrays, in folders by idea. They know nothing of frames, roles or files.

In come arrays and a random generator; out come arrays. What two rooms share stands here, and each kernel is tested against a slow
and obvious version; machine code loads when it is first used. Read ``statistics/moments.py`` first, then ``nearest/kd_tree.py``.
"""
