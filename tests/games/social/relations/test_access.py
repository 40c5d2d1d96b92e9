"""Requests are decided by the product of the trusts, and what each party sees holds nothing else."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tacita.core.errors import DataError, ParameterError
from tacita.core.streams import Streams
from tacita.games.social.relations.access import Access, Relationships, _Run, request_access
from tacita.games.social.relations.elgamal import Ciphertext, group_of
from tacita.games.social.relations.secure_lines import new_key
from tests.oracles.games import social as oracle

GROUP = group_of(768)
ELEMENT = GROUP.size


def chain(*levels: float, most: int = 20, step: float = 0.05) -> tuple[Relationships, str]:
    """O trusts N0, who trusts N1, and so on; return it and who stands at the end."""
    names = ["O", *(f"N{i}" for i in range(len(levels)))]
    trusts = {(a, b): level for a, b, level in zip(names, names[1:], levels, strict=False)}
    return Relationships(trusts, step=step, most=most, bits=768), names[-1]


def asked(least: float, *levels: float, seed: int = 1) -> Access:
    known, requester = chain(*levels)
    return request_access(known, requester, "O", least_trust=least, seed=seed)


@pytest.mark.parametrize("hops", [1, 2, 3])
def test_the_product_decides_up_to_rounding(hops: int) -> None:
    rng = np.random.default_rng(hops)
    for number in range(4):
        levels = rng.uniform(0.6, 1, hops)
        least = float(np.clip(np.prod(levels) * rng.choice([0.8, 0.97, 1.01, 1.1]), 0.4, 1))
        granted = asked(least, *levels, seed=number).granted
        if oracle.threshold_by_product(levels, least * np.exp(0.05 * hops)):
            assert granted  # enough, whatever is lost by rounding
        if not oracle.threshold_by_product(levels, least):
            assert not granted  # never below


def test_the_requester_gets_the_key_and_nobody_else() -> None:
    found = asked(0.5, 0.9, 0.9, 0.9)
    assert found.path == ("N2", "N1", "N0", "O")
    assert found.secret is not None
    assert len(found.secret) == 32
    everything = b"".join(part for seen in found.seen.values() for one in seen for part in one.parts.values())
    assert found.secret not in everything
    assert asked(0.9, 0.9, 0.9, 0.9).secret is None


def test_without_trust_in_the_right_direction_nothing_is_granted() -> None:
    known = Relationships({("O", "B"): 1.0, ("A", "B"): 1.0}, step=0.1, most=9, bits=768)
    assert not request_access(known, "A", "O", least_trust=0.5, seed=1).granted
    known = Relationships({("B", "O"): 1.0, ("B", "A"): 1.0}, step=0.1, most=9, bits=768)
    assert not request_access(known, "A", "O", least_trust=0.5, seed=1).granted


# --- what is seen ------------------------------------------------------------------------------------------------------------


def shape(access: Access, party: str) -> list[tuple[str, tuple[int, ...]]]:
    return [(one.kind, tuple(map(len, one.parts.values()))) for one in access.seen[party]]


@pytest.mark.parametrize("hops", [1, 2, 3])
def test_everybody_sees_the_same_shapes_whatever_the_trusts_and_the_outcome(hops: int) -> None:
    cases = [asked(least, *[level] * hops) for least, level in ((0.5, 1.0), (0.5, 0.5), (0.95, 0.9), (0.9, 0.5))]
    assert {case.granted for case in cases} == {True, False}
    for party in cases[0].seen:
        shapes = {tuple(shape(case, party)) for case in cases}
        assert len(shapes) == 1, party
    element = ("request", (16, 32, ELEMENT))
    step = [("tests", (21 * ELEMENT, 21 * ELEMENT)), ("shares", (21 * ELEMENT,))]
    assert shape(cases[0], "O") == [element, *step * (hops - 1), ("done", (16,))]
    assert {one.sender for case in cases for one in case.seen["O"]} == {"N0"}


def test_each_party_sees_these_kinds_from_these_friends_and_nothing_else() -> None:
    found = asked(0.5, 0.9, 0.9, 0.9)
    seen = {name: [(one.kind, one.sender) for one in own] for name, own in found.seen.items()}
    assert seen["O"] == [
        ("request", "N0"), ("tests", "N0"), ("shares", "N0"), ("tests", "N0"), ("shares", "N0"), ("done", "N0")
    ]  # fmt: skip
    assert seen["N0"] == [
        ("resource", "O"), ("request", "N1"), ("limit", "O"), ("shares", "N1"), ("tests", "N1"), ("shares", "N1"),
        ("done", "N1"), ("answer", "O"),
    ]  # fmt: skip
    assert seen["N1"] == [
        ("resource", "N0"), ("request", "N2"), ("firsts", "N0"), ("shares", "N2"), ("limit", "N0"), ("shares", "N2"),
        ("done", "N2"), ("answer", "N0"),
    ]  # fmt: skip
    assert seen["N2"] == [
        ("resource", "N1"), ("firsts", "N1"), ("firsts", "N1"), ("limit", "N1"), ("answer", "N1")
    ]  # fmt: skip


def numbers(text: bytes) -> list[int]:
    return [int.from_bytes(text[i : i + ELEMENT], "big") for i in range(0, len(text), ELEMENT)]


def opened(access: Access, seed: int = 1) -> list[list[int]]:
    """What the owner sees in each list of tests, with both halves: found again from the messages and the owner's secret."""
    secret = owner_secret(access, seed)
    tests = [one.parts for one in access.seen["O"] if one.kind == "tests"]
    shares = [one.parts["shares"] for one in access.seen["O"] if one.kind == "shares"]
    return [
        [
            b * pow(pow(a, secret, GROUP.p) * share, -1, GROUP.p) % GROUP.p
            for a, b, share in zip(numbers(t["firsts"]), numbers(t["seconds"]), numbers(s), strict=True)
        ]
        for t, s in zip(tests, shares, strict=True)
    ]


def owner_secret(access: Access, seed: int = 1) -> int:
    """The secret that the seed gives the owner: drawn as the owner draws it."""
    rng = Streams(seed).within("request_access").stream("party", "O")
    new_key(rng)
    rng.bytes(16)
    secret = GROUP.exponent(rng)
    (public,) = {one.parts["key"] for one in access.seen["N0"] if one.kind == "resource" and one.sender == "O"}
    assert GROUP.power(2, secret) == int.from_bytes(public, "big")
    return secret


SMALL = {pow(2, m, GROUP.p) for m in range(-300, 301)}


@pytest.mark.parametrize(
    ("levels", "zeros"), [((0.9, 0.9), [1]), ((0.9, 0.6, 0.9), [0, 0]), ((0.8, 0.95, 0.7), [1, 0])]
)
def test_the_owner_opens_one_zero_or_none_and_otherwise_numbers_that_say_nothing(
    levels: tuple[float, ...], zeros: list[int]
) -> None:
    access = asked(0.6, *levels)
    found = opened(access)
    assert [one.count(1) for one in found] == zeros
    assert access.granted == all(zeros)
    assert not {x for one in found for x in one if x != 1} & SMALL


@pytest.mark.slow
def test_where_the_zero_stands_says_nothing_of_what_is_left() -> None:
    """It stands anywhere: of 12 requests on one path with one limit few have it in the same place."""
    known, requester = chain(0.9, 0.9)
    places = set()
    for number in range(12):
        (found,) = opened(request_access(known, requester, "O", least_trust=0.6, seed=number), number)
        places.add(found.index(1))
    assert len(places) > 5
    assert max(places) - min(places) > 8


def test_neither_owner_nor_requester_alone_can_open_anything() -> None:
    access = asked(0.6, 0.9, 0.9)
    tests = next(one.parts for one in access.seen["O"] if one.kind == "tests")
    held = next(one.parts["held"] for one in access.seen["N1"] if one.kind == "limit")
    pairs = [numbers(held), *zip(numbers(tests["firsts"]), numbers(tests["seconds"]), strict=True)]
    rng = Streams(1).within("request_access").stream("party", "N1")
    new_key(rng)
    new_key(rng)
    half = GROUP.exponent(rng)
    mine = next(one.parts["key"] for one in access.seen["O"] if one.kind == "request")
    assert GROUP.power(2, half) == int.from_bytes(mine, "big")
    for secret in (owner_secret(access), half):
        assert not {b * pow(a, -secret, GROUP.p) % GROUP.p for a, b in pairs} & (SMALL | {1})


def test_what_a_friend_hands_on_looks_like_nothing_he_was_handed() -> None:
    access = asked(0.6, 0.95, 0.95, 0.95)
    held = [one.parts["held"] for own in access.seen.values() for one in own if one.kind == "limit"]
    elements = list(itertools.chain.from_iterable(numbers(text) for text in held))
    assert len(set(elements)) == len(elements) == 6


# --- who lies ----------------------------------------------------------------------------------------------------------------


def test_a_requester_who_makes_up_shares_is_not_let_in(monkeypatch: pytest.MonkeyPatch) -> None:
    known, requester = chain(0.9, 0.4)
    rng = np.random.default_rng(5)
    for made_up in (
        lambda *_: b"".join(GROUP.power(2, GROUP.exponent(rng)).to_bytes(ELEMENT, "big") for _ in range(21)),
        lambda *_: b"".join((1).to_bytes(ELEMENT, "big") for _ in range(21)),
    ):
        monkeypatch.setattr(_Run, "_shares", made_up)
        assert not request_access(known, requester, "O", least_trust=0.8, seed=1).granted


def test_a_friend_who_may_not_see_the_resource_himself_cannot_let_anybody_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """N1 is not trusted enough, and tests a limit of his own making; N0 tested him before."""
    known, requester = chain(0.9, 0.4, 1.0)
    honest = _Run._tests

    def lies(self: _Run, left: Ciphertext, friend: str) -> list[Ciphertext]:
        mine = self.group.encrypt(self.joint, 3, self.rng[friend]) if friend == "N1" else left
        return honest(self, mine, friend)

    monkeypatch.setattr(_Run, "_tests", lies)
    access = request_access(known, requester, "O", least_trust=0.8, seed=1)
    assert [one.count(1) for one in opened(access)] == [0, 1]
    assert not access.granted


def test_the_last_friend_must_be_trusted_enough_himself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_Run, "_decide", lambda *_: True)
    known, requester = chain(0.5, 1.0)
    assert not request_access(known, requester, "O", least_trust=0.8, seed=1).granted


def test_two_requests_of_one_person_share_nothing_but_the_resource() -> None:
    known, requester = chain(0.9, 0.9)
    one, two = (request_access(known, requester, "O", least_trust=0.5, seed=seed) for seed in (1, 2))
    parts = [{part for seen in access.seen["O"] for part in seen.parts.values()} for access in (one, two)]
    assert not parts[0] & parts[1]


def test_the_same_seed_gives_the_same_messages_and_none_gives_others() -> None:
    known, requester = chain(0.9, 0.9, most=30)
    a, b = (request_access(known, requester, "O", least_trust=0.8, seed=5).seen for _ in range(2))
    c = request_access(known, requester, "O", least_trust=0.8).seen
    assert a == b
    assert a != c


def test_what_does_not_fit_is_refused_without_names_or_levels() -> None:
    for trusts, said in (
        ({("secret", "secret"): 0.5}, "in himself"),
        ({("a", "b"): 0.0}, "above 0"),
        ({("a", "b"): 1.5}, "above 0"),
        ({("a", "b"): "x"}, "above 0"),
        ({("a", ""): 1.0}, "pairs of names"),
        ({"ab": 1.0}, "pairs of names"),
    ):
        with pytest.raises(DataError, match=said) as caught:
            Relationships(trusts)  # type: ignore[arg-type]
        assert "secret" not in str(caught.value)
    known = Relationships({("a", "b"): 1.0, ("c", "d"): 1.0}, bits=768)
    for requester, owner, said in (("a", "c", "no way"), ("a", "x", "must have friends"), ("a", "a", "must be two")):
        with pytest.raises(DataError, match=said):
            request_access(known, requester, owner, least_trust=0.5)
    for least in (0.0, 1.1, True, "x"):
        with pytest.raises(ParameterError, match="'least_trust'"):
            request_access(known, "a", "b", least_trust=least)  # type: ignore[arg-type]
    for more in ({"step": 0.0}, {"most": 0}, {"most": True}, {"bits": 99}):
        with pytest.raises(ParameterError):
            Relationships({("a", "b"): 1.0}, **more)  # type: ignore[arg-type]
