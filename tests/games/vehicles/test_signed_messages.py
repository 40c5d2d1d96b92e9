from __future__ import annotations

import pytest

from tacita.core.errors import ParameterError
from tacita.games.vehicles.announcements import Endorsing, announce
from tacita.games.vehicles.signed_messages import SignedMessages, sign_announcements
from tests.games.vehicles.test_announcements import by_hand


def test_what_counted_is_signed_and_nothing_else() -> None:
    """A danger with enough cars, one with too few; a lie of three cars, and one of a single car."""
    seen = by_hand([0, 0, 0, 1], [0, 1, 2, 3], [0, 0, 1, 0], [True, True])
    honest = announce(seen, Endorsing(threshold=3, shares=30, selfish=0, malicious=0))
    assert len(set(honest.voice[:3].tolist())) == 3
    assert sign_announcements(honest, at_most=3) == SignedMessages(real=1, lies=0, too_few=1, repeated=0)
    seen = by_hand([0, 0, 0, 1], [0, 1, 2, 3], [0, 0, 1, 0], [False, False])
    liars = announce(seen, Endorsing(threshold=3, shares=30, selfish=0, malicious=1))
    assert sign_announcements(liars, at_most=3) == SignedMessages(real=0, lies=1, too_few=1, repeated=2)
    pooled = announce(seen, Endorsing(threshold=3, shares=30, selfish=0, malicious=1, attackers="pooled"))
    assert sign_announcements(pooled, at_most=3).lies == 2


def test_other_schemes_have_no_shares() -> None:
    made = announce(by_hand([0], [0], [0], [True]), Endorsing(scheme="named"))
    with pytest.raises(ParameterError, match="'threshold'"):
        sign_announcements(made)
    with pytest.raises(ParameterError, match="'at_most'"):
        sign_announcements(announce(made.sightings, Endorsing()), at_most=0)
