from __future__ import annotations

import pytest

from tacita.core.keyed import Key
from tacita.core.signatures import is_signed, public_part, signature_of

KEY, OTHER = Key(bytes(range(32))), Key(bytes(range(1, 33)))


def test_a_signature_holds_for_its_key_and_content_alone() -> None:
    signature = signature_of(KEY, b"content")
    assert is_signed(public_part(KEY), b"content", signature)
    assert not is_signed(public_part(OTHER), b"content", signature)
    assert not is_signed(public_part(KEY), b"Content", signature)
    assert not is_signed(public_part(KEY), b"content", signature[:-1] + bytes([signature[-1] ^ 1]))
    assert signature == signature_of(KEY, b"content")


@pytest.mark.parametrize("public", ["", "zz", "00", None, 5, "00" * 40])
def test_what_is_no_public_key_has_signed_nothing(public: object) -> None:
    assert not is_signed(public, b"content", signature_of(KEY, b"content"))


def test_the_public_part_does_not_show_the_secret() -> None:
    assert bytes(range(32)).hex() != public_part(KEY)
    assert len(public_part(KEY)) == 64
