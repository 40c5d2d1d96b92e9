"""Cars that announce dangers on the road: messages that count when enough cars endorse them, and what that costs in privacy.

In come traffic, dangers and what drivers do; out come announcements in time, false messages that were believed, the crowd that
each announcer stands in, and the game between drivers. Read ``traffic.py`` first, then ``announcements.py`` and
``announcement_game.py``; the signature stands in ``threshold_rsa.py``.
"""
