"""Lines refuse what was changed, repeated or sent by others; boxes open for one key."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.core.errors import DataError
from tacita.games.social.relations.secure_lines import BOX, FriendLine, new_key, open_box, public_of, seal_box


def ends() -> tuple[FriendLine, FriendLine]:
    rng = np.random.default_rng(1)
    ann, ben = new_key(rng), new_key(rng)
    return FriendLine(ann, public_of(ben)), FriendLine(ben, public_of(ann))


def test_messages_arrive_in_both_directions_and_look_different_each_time() -> None:
    ann, ben = ends()
    first, second = ann.seal(b"same"), ann.seal(b"same")
    assert first != second
    assert [ben.open(first), ben.open(second), ann.open(ben.seal(b"back"))] == [b"same", b"same", b"back"]
    assert b"same" not in first


def test_what_comes_twice_out_of_order_changed_or_reflected_is_refused() -> None:
    ann, ben = ends()
    first, second = ann.seal(b"one"), ann.seal(b"two")
    for wrong in (second, first[:-1] + bytes([first[-1] ^ 1]), b"", ben.seal(b"x")):
        with pytest.raises(DataError, match="changed on its way"):
            ben.open(wrong)
    assert ben.open(first) == b"one"
    with pytest.raises(DataError, match="comes twice"):
        ben.open(first)
    with pytest.raises(DataError):
        ann.open(second)


def test_a_stranger_can_neither_read_nor_write() -> None:
    ann, ben = ends()
    rng = np.random.default_rng(9)
    stranger = new_key(rng)
    with pytest.raises(DataError):
        ben.open(FriendLine(stranger, public_of(ben.own)).seal(b"from Ann"))
    with pytest.raises(DataError):
        FriendLine(stranger, public_of(ann.own)).open(ann.seal(b"to Ben"))
    with pytest.raises(DataError, match="public key"):
        FriendLine(stranger, b"short")


def test_a_box_opens_for_its_key_alone_and_has_one_length() -> None:
    rng = np.random.default_rng(3)
    reader, other = new_key(rng), new_key(rng)
    box = seal_box(public_of(reader), b"secret", rng)
    assert open_box(reader, box) == b"secret"
    assert len(box) == len(b"secret") + BOX
    assert seal_box(public_of(reader), b"secret", rng) != box
    for wrong in (box[:-1] + b"!", box[:40]):
        with pytest.raises(DataError):
            open_box(reader, wrong)
    with pytest.raises(DataError, match="not for this key"):
        open_box(other, box)
