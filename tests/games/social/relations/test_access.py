"""Requests are decided by the product of the trusts, and what each party sees holds nothing else."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tacita.core.errors import DataError, ParameterError
from tacita.core.streams import Streams
from tacita.games.social.relations.access import Access, Relationships, request_access
from tacita.games.social.relations.elgamal import group_of
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


def test_the_owner_sees_the_same_shapes_whatever_the_path_the_trusts_and_the_outcome() -> None:
    cases = [asked(0.5, *levels) for levels in ((1.0,), (0.9, 0.9), (0.9, 0.9, 0.9, 0.9), (0.6, 0.6), (0.9, 0.5, 0.9))]
    assert {case.granted for case in cases} == {True, False}
    shapes = {tuple(shape(case, "O")) for case in cases}
    assert shapes == {
        (
            ("request", (16, 32, ELEMENT, 2 * ELEMENT)),
            ("tests", (21 * ELEMENT, 21 * ELEMENT)),
            ("shares", (21 * ELEMENT,)),
        )
    }
    assert {one.sender for case in cases for one in case.seen["O"]} == {"N0"}


def test_each_party_sees_these_kinds_from_these_friends_and_nothing_else() -> None:
    found = asked(0.5, 0.9, 0.9, 0.9)
    seen = {name: [(one.kind, one.sender) for one in own] for name, own in found.seen.items()}
    assert seen["N0"] == [("resource", "O"), ("request", "N1"), ("limit", "O"), ("shares", "N1"), ("answer", "O")]
    assert seen["N1"] == [("resource", "N0"), ("request", "N2"), ("firsts", "N0"), ("shares", "N2"), ("answer", "N0")]
    assert seen["N2"] == [("resource", "N1"), ("firsts", "N1"), ("answer", "N1")]
    assert seen["O"] == [("request", "N0"), ("tests", "N0"), ("shares", "N0")]
    refused = asked(0.95, 0.9, 0.9, 0.9)
    for party in ("N0", "N1"):  # who stands between does not learn how it ended
        assert shape(found, party) == shape(refused, party)


def numbers(text: bytes) -> list[int]:
    return [int.from_bytes(text[i : i + ELEMENT], "big") for i in range(0, len(text), ELEMENT)]


def opened(access: Access) -> list[int]:
    """What the owner sees in the tests, with both halves: found again from the messages and the owner's secret."""
    secret = owner_secret(access)
    seen = {one.kind: one.parts for one in access.seen["O"]}
    every = zip(
        numbers(seen["tests"]["firsts"]),
        numbers(seen["tests"]["seconds"]),
        numbers(seen["shares"]["shares"]),
        strict=True,
    )
    return [b * pow(pow(a, secret, GROUP.p) * share, -1, GROUP.p) % GROUP.p for a, b, share in every]


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


@pytest.mark.parametrize(("levels", "zeros"), [((0.9, 0.9), 1), ((0.9, 0.6, 0.9), 0), ((0.8, 0.8), 1)])
def test_the_owner_opens_one_zero_or_none_and_otherwise_numbers_that_say_nothing(
    levels: tuple[float, ...], zeros: int
) -> None:
    found = opened(asked(0.6, *levels))
    assert found.count(1) == zeros == int(asked(0.6, *levels).granted)
    assert not (set(found) - {1}) & SMALL


def test_where_the_zero_stands_says_nothing_of_the_sum() -> None:
    """It stands anywhere: of 12 requests on one path with one sum few have it in the same place."""
    places = set()
    for number in range(12):
        known, requester = chain(0.9, 0.9)
        access = request_access(known, requester, "O", least_trust=0.6, seed=number)
        seen = {one.kind: one.parts for one in access.seen["O"]}
        secret = owner_secret(access, number)
        firsts, seconds = numbers(seen["tests"]["firsts"]), numbers(seen["tests"]["seconds"])
        shares = numbers(seen["shares"]["shares"])
        places |= {
            i
            for i, (a, b, s) in enumerate(zip(firsts, seconds, shares, strict=True))
            if b == pow(a, secret, GROUP.p) * s % GROUP.p
        }
    assert len(places) > 5
    assert max(places) - min(places) > 8


def test_alone_the_owner_can_open_nothing() -> None:
    """The sum of the request, and every test, is under the requester's half too."""
    access = asked(0.6, 0.9, 0.9)
    secret = owner_secret(access)
    seen = {one.kind: one.parts for one in access.seen["O"]}
    a, b = numbers(seen["request"]["held"])
    alone = [(a, b), *zip(numbers(seen["tests"]["firsts"]), numbers(seen["tests"]["seconds"]), strict=True)]
    assert not {b * pow(a, -secret, GROUP.p) % GROUP.p for a, b in alone} & (SMALL | {1})


def test_what_a_friend_hands_on_looks_like_nothing_he_was_handed() -> None:
    access = asked(0.6, 0.95, 0.95, 0.95)
    held = [one.parts["held"] for own in access.seen.values() for one in own if one.kind in ("request", "limit")]
    elements = list(itertools.chain.from_iterable(numbers(text) for text in held))
    assert len(set(elements)) == len(elements)


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
