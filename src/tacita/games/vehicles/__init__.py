"""Cars that announce dangers on the road: messages that count when enough cars endorse them, and what that costs in privacy.

In come traffic, dangers and what drivers do; out come announcements in time, false messages that were believed, the crowd that
each announcer stands in, and the game between drivers. Read ``traffic.py`` first, then ``announcements.py`` and
``announcement_game.py``; the signature stands in ``threshold_rsa.py``.
"""

from tacita.games.vehicles.announcement_game import (
    AnnouncementGame,
    AnnouncingCoprivacy,
    announcement_game,
    announcing_coprivacy,
    coprivate_ratios,
)
from tacita.games.vehicles.announcements import Announcements, Endorsing, announce
from tacita.games.vehicles.effects import AnnouncementEffect, announcement_effects
from tacita.games.vehicles.signed_messages import sign_announcements
from tacita.games.vehicles.threshold_rsa import combine_shares, deal_key, share_is_valid, sign_share
from tacita.games.vehicles.traffic import Sightings, Traffic, drive

__all__ = [
    "AnnouncementEffect",
    "AnnouncementGame",
    "Announcements",
    "AnnouncingCoprivacy",
    "Endorsing",
    "Sightings",
    "Traffic",
    "announce",
    "announcement_effects",
    "announcement_game",
    "announcing_coprivacy",
    "combine_shares",
    "coprivate_ratios",
    "deal_key",
    "drive",
    "share_is_valid",
    "sign_announcements",
    "sign_share",
]
