from __future__ import annotations

from dataclasses import replace

from tacita.logs.safety.log_certificate import LogCertificate

HELD = LogCertificate(
    k=3,
    askers=2,
    users=60,
    profiles=20,
    smallest=3,
    texts=200,
    categories=50,
    users_without_profile=0,
    small_profiles=0,
    names=0,
    lonely_texts=0,
    lonely_clicks=0,
    lonely_times=0,
)


def test_every_broken_promise_is_named() -> None:
    assert HELD.holds
    kinds = ("users_without_profile", "small_profiles", "names", "lonely_texts", "lonely_clicks", "lonely_times")
    for kind in kinds:
        broken = replace(HELD, **{kind: 2})
        assert not broken.holds
        assert broken.breaches == {kind: 2}
        assert broken.words() == f"The promises do not hold: {kind.replace('_', ' ')}: 2."


def test_the_plain_form_has_every_number() -> None:
    plain = HELD.as_plain()
    assert plain["holds"] is True
    assert plain["texts"] == 200
    assert len(plain) == 14
