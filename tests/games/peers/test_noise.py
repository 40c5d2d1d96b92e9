from __future__ import annotations

import pytest

from tacita.games.peers.keys import PeerKey
from tacita.games.peers.noise import HANDSHAKE_LENGTHS, BrokenRulesError, LineCipher, NoiseCalled, NoiseCaller

PROLOGUE = b"There is no right and wrong. There's only fun and boring."
VECTOR = [  # Noise_XK_25519_ChaChaPoly_SHA256 of snow's tests/vectors/snow.txt: payload, ciphertext
    (
        "5ff166c364c401f5cccefe5dbef2399eb35af4f77373ac26e98cc2178b3d4f05",
        "e72ac10bdc197cc923051ac8ce5e8f952873928d4c0be6bc3e1ce2c44a5d8948fcff0ce5c4eb228940fa1f01db75144acf89e5f5fe3f456ebb2439d1c59e4308"
        "40751ef5f93567d268d5399b78c56137",
    ),
    (
        "44d9a8b2dfc5e4db9109c08e7345ad331bc74d16d5580a0ccab5695a0d4ea406",
        "573253370220f0dcfae0ff8f800d885f67aaa0aabf13191e4b17241b0a50ba1721b33d6f53bb9147724bb5f9b80347d4151c68de9ecd62170433df78eb5e3dee"
        "843ced53014a2922d7f7c7a447ddc347",
    ),
    (
        "82e4f70bd164c183c4d116f4d18e92c1e8c57257dcc5414b10e1df7ba66490dc",
        "7aee57bc9c27b1489388b1b114335b1c777a242dd3f199d0a44cf3588910371cfefaced10536e91859a496caeb78f52e63d3703766c33e05bbd94c985421e1d1"
        "461d769fd6b9f333b32ca30cb17ee09ac7af9b7499a5a8d0a3e19aff0e1dd055",
    ),
    (
        "534f98102268d35aed2ad42b7929840845b67f3d1e27fa05b9365675cdf9ecf3",
        "c837eb9eba146171756bdc87f554052496e2ccc7c8e7a224d49a53302240134c9925c8919662f162f8e086dc93694eb1",
    ),
    (
        "7cdebd667263c56a74ed30fcc0783f4ee90b17cc4e8c4c31e47f81484211caf1",
        "553d810ba41db883b8f990b088f834eecf960c66dc63c65eefef0a51e5661289069ce103e5c9b742ae33806d383eb2a1",
    ),
]


def _key(digits: str) -> PeerKey:
    return PeerKey(bytes.fromhex(digits))


def _sides() -> tuple[NoiseCaller, NoiseCalled]:
    called = _key("41f32f158d5bde75b0814850d79885e717c1858b34ae1787911dabb846dfb28a")
    caller = NoiseCaller(
        _key("d79245fc228517d26ab3026f901e6de5e87029f62f5337bb7aeaf290630663c5"),
        called.public,
        PROLOGUE,
        ephemeral=_key("821a1cfc35eafdfd7ceec182cea0b46a8b41715f8b1a6c3255da349a4205a912"),
    )
    fresh = _key("d3d600d3d556e1819de798950067a5b9f07977aa4dfc7ccea983bccc4f92ed5d")
    return caller, NoiseCalled(called, PROLOGUE, ephemeral=fresh)


def test_the_published_handshake_comes_out_byte_for_byte() -> None:
    caller, called = _sides()
    payloads, messages = zip(*((bytes.fromhex(a), bytes.fromhex(b)) for a, b in VECTOR), strict=True)
    assert caller.first(payloads[0]) == messages[0]
    assert called.second(messages[0], payloads[1]) == (messages[1], payloads[0])
    assert caller.third(messages[1], payloads[2]) == (messages[2], payloads[1])
    public = _key("d79245fc228517d26ab3026f901e6de5e87029f62f5337bb7aeaf290630663c5").public
    assert called.last(messages[2]) == (public, payloads[2])
    (to_called, from_called), (to_caller, from_caller) = caller.ciphers(), called.ciphers()
    assert to_caller.encrypt(payloads[3]) == messages[3]
    assert from_called.decrypt(messages[3]) == payloads[3]
    assert to_called.encrypt(payloads[4]) == messages[4]
    assert from_caller.decrypt(messages[4]) == payloads[4]


def _open(own: PeerKey, called: PeerKey, prologue: bytes = PROLOGUE) -> tuple[NoiseCaller, NoiseCalled, bytes]:
    caller, there = NoiseCaller(own, called.public, prologue), NoiseCalled(called, prologue)
    second, _ = there.second(caller.first())
    third, _ = caller.third(second)
    return caller, there, third


def test_handshakes_have_the_lengths_that_are_looked_at() -> None:
    own, theirs = PeerKey.draw(), PeerKey.draw()
    caller, called = NoiseCaller(own, theirs.public, PROLOGUE), NoiseCalled(theirs, PROLOGUE)
    first = caller.first()
    second, _ = called.second(first)
    third, _ = caller.third(second)
    assert (len(first), len(second), len(third)) == HANDSHAKE_LENGTHS
    assert called.last(third) == (own.public, b"")
    assert own.public not in first + second + third  # who calls is for the called one alone


def test_two_conversations_of_the_same_two_share_nothing() -> None:
    """Forward secrecy: the private keys of both do not say what the keys of a conversation were."""
    own, theirs = PeerKey.draw(), PeerKey.draw()
    said = set()
    for _ in range(2):
        caller, called, third = _open(own, theirs)
        called.last(third)
        said.add(caller.ciphers()[0].encrypt(b"the same"))
    assert len(said) == 2


def test_somebody_else_who_answers_is_found_out() -> None:
    wanted, liar = PeerKey.draw(), PeerKey.draw()
    caller = NoiseCaller(PeerKey.draw(), wanted.public, PROLOGUE)
    with pytest.raises(BrokenRulesError) as caught:
        NoiseCalled(liar, PROLOGUE).second(caller.first())
    assert caught.value.kind == "forged"


def test_another_version_is_found_out() -> None:
    theirs = PeerKey.draw()
    caller = NoiseCaller(PeerKey.draw(), theirs.public, b"version 1")
    with pytest.raises(BrokenRulesError):
        NoiseCalled(theirs, b"version 2").second(caller.first())


@pytest.mark.parametrize("place", [0, 20, 31, 33, 47])
def test_a_changed_bit_of_a_handshake_is_found_out(place: int) -> None:
    theirs = PeerKey.draw()
    first = bytearray(NoiseCaller(PeerKey.draw(), theirs.public, PROLOGUE).first())
    first[place] ^= 1
    with pytest.raises(BrokenRulesError):
        NoiseCalled(theirs, PROLOGUE).second(bytes(first))


def test_a_third_message_of_another_conversation_is_refused() -> None:
    own, theirs = PeerKey.draw(), PeerKey.draw()
    _, _, old = _open(own, theirs)
    _, there, _ = _open(own, theirs)
    with pytest.raises(BrokenRulesError):
        there.last(old)


@pytest.mark.parametrize("length", [0, 31, 47])
def test_a_short_handshake_is_refused(length: int) -> None:
    called = NoiseCalled(PeerKey.draw(), PROLOGUE)
    with pytest.raises(BrokenRulesError):
        called.second(bytes(length))
    with pytest.raises(BrokenRulesError):
        called.last(bytes(length))


def test_a_second_copy_one_out_of_order_and_a_changed_one_are_refused() -> None:
    sending, receiving = LineCipher(bytes(32)), LineCipher(bytes(32))
    one, two = sending.encrypt(b"one", b"head"), sending.encrypt(b"two", b"head")
    with pytest.raises(BrokenRulesError):
        receiving.decrypt(two, b"head")
    assert receiving.decrypt(one, b"head") == b"one"
    with pytest.raises(BrokenRulesError):
        receiving.decrypt(one, b"head")
    with pytest.raises(BrokenRulesError):
        receiving.decrypt(two, b"tail")
    assert receiving.decrypt(two, b"head") == b"two"


def test_a_conversation_ends_before_a_nonce_comes_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tacita.games.peers.noise.MOST_MESSAGES", 2)
    cipher = LineCipher(bytes(32))
    assert cipher.encrypt(b"x") != cipher.encrypt(b"x")
    with pytest.raises(BrokenRulesError) as caught:
        cipher.encrypt(b"x")
    assert caught.value.kind == "spent"
    assert "secret" in repr(cipher)
