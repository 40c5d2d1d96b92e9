"""The way to a server: kept connections, time limits, sizes, certificates (also ``tacita.query.remote.timed_response``)."""

from __future__ import annotations

import datetime
import os
import socket
import threading
from collections.abc import Iterator
from ipaddress import ip_address
from pathlib import Path

import pytest

from tacita.core.metadata import MetadataLimits
from tacita.query.remote import wire as wire_module
from tacita.query.remote.address import ServerAddress
from tacita.query.remote.remote_error import RemoteError
from tacita.query.remote.wire import Wire
from tests.query.remote.fake_server import TOKEN, FakeServer, serving


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with serving({}) as fake:
        yield fake


def wire(server: FakeServer, timeout: float = 5.0) -> Wire:
    return Wire(ServerAddress.of(server.url), TOKEN, timeout)


# --- connections ------------------------------------------------------------------------------------------------------------


def test_a_connection_is_kept(server: FakeServer) -> None:
    used = wire(server)
    assert [used.get("/datasets").body for _ in range(3)] == [{"datasets": []}] * 3
    assert server.connections == 1
    used.close()
    assert used.get("/datasets").status == 200
    assert server.connections == 2


def test_every_thread_has_its_own(server: FakeServer) -> None:
    used = wire(server)
    threads = [threading.Thread(target=used.get, args=("/datasets",)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert server.connections == 3


def test_a_connection_that_was_dropped_is_opened_once_more(server: FakeServer) -> None:
    used = wire(server)
    server.closes_after = 1
    assert [used.post("/datasets", "{}").status for _ in range(3)] == [200] * 3
    assert server.connections == 3


def test_a_new_connection_that_breaks_off_is_an_error(server: FakeServer) -> None:
    server.say_bytes(b"")
    with pytest.raises(RemoteError, match="cannot be reached, or broke off"):
        wire(server).get("/datasets")
    assert len(server.asked) == 1


def test_it_is_tried_once_more_and_no_oftener(server: FakeServer) -> None:
    used = wire(server)
    used.get("/datasets")
    server.say_bytes(b"")
    server.say_bytes(b"")
    with pytest.raises(RemoteError, match="broke off"):
        used.get("/datasets")
    assert len(server.asked) == 3


def test_nobody_there() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        with pytest.raises(RemoteError, match=f"http://127.0.0.1:{port} cannot be reached"):
            Wire(ServerAddress.of(f"http://127.0.0.1:{port}"), None, 5.0).get("/datasets")


# --- time -------------------------------------------------------------------------------------------------------------------

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n"


@pytest.mark.parametrize("content", [HEAD, HEAD + b" " * 499], ids=["head", "body"])
def test_a_server_that_drips_is_left(server: FakeServer, content: bytes) -> None:
    """Each byte comes long before the time limit of a read, all of them long after that of a reply."""
    server.say_bytes(content, pause=0.03)
    with pytest.raises(RemoteError, match=r"within 0\.3 seconds"):
        wire(server, 0.3).get("/datasets")


def test_a_server_that_says_nothing_is_left() -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        used = Wire(ServerAddress.of(f"http://127.0.0.1:{deaf.getsockname()[1]}"), None, 0.2)
        with pytest.raises(RemoteError, match="give a longer 'timeout'"):
            used.get("/datasets")


def test_half_a_reply_is_not_taken_for_the_next_one(server: FakeServer) -> None:
    used = wire(server, 0.3)
    server.say_bytes(HEAD[:-4], pause=0.05)
    with pytest.raises(RemoteError, match="within"):
        used.get("/datasets")
    assert used.get("/datasets").body == {"datasets": []}


# --- replies ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        b"nonsense\r\n\r\n",
        b"HTTP/1.1 abc OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X: 1\r\n" * 500 + b"\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"a" * 100_000 + b"\r\n\r\n",
        HEAD + b"{}",
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}",
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{}",
    ],
)
def test_what_is_no_http_is_an_error(server: FakeServer, content: bytes) -> None:
    server.say_bytes(content)
    with pytest.raises(RemoteError, match="cannot be reached, or broke off"):
        wire(server).get("/datasets")


def test_pieces_are_put_together(server: FakeServer) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n"
    server.say_bytes(head + b'3\r\n{"a\r\n4\r\n": 1\r\n1\r\n}\r\n0\r\n\r\n')
    assert wire(server).get("/datasets").body == {"a": 1}


@pytest.mark.parametrize(
    "head",
    [b"Content-Length: 99999999999", b"Transfer-Encoding: chunked\r\nX: 1", b"Connection: close"],
    ids=["announced", "in pieces", "until it ends"],
)
def test_a_long_reply_is_not_read(server: FakeServer, head: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire_module, "REPLY_LIMITS", MetadataLimits(size=1 << 20, keys=1000))
    body = b"ffffff\r\n" + b" " * (3 << 20) if b"chunked" in head else b" " * (3 << 20)
    server.say_bytes(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" + head + b"\r\n\r\n" + body)
    with pytest.raises(RemoteError, match="at most 1 MB"):
        wire(server).get("/datasets")


@pytest.mark.parametrize(
    ("body", "headers", "said"),
    [
        ("{}", {"Content_Encoding": "gzip"}, "packed"),
        ("{", {}, "not valid JSON"),
        ("[" + "1," * 9_000_000 + "1]", {}, "keys and entries"),
    ],
    ids=["packed", "half", "many"],
)
def test_what_is_no_json_is_an_error(server: FakeServer, body: str, headers: dict[str, str], said: str) -> None:
    server.say(200, body, **headers)
    with pytest.raises(RemoteError, match=said):
        wire(server).get("/datasets")


def test_other_encodings_are_an_error(server: FakeServer) -> None:
    content = '{"a": "é"}'.encode("latin-1")
    length = str(len(content)).encode()
    server.say_bytes(HEAD.replace(b"500", length) + content)
    with pytest.raises(RemoteError, match="UTF-8"):
        wire(server).get("/datasets")


def test_a_page_is_no_json(server: FakeServer) -> None:
    server.say(502, "<html>", Content_Type="text/html")
    reply = wire(server).get("/datasets")
    assert (reply.status, reply.body) == (502, None)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirections_are_refused(server: FakeServer, status: int) -> None:
    server.say(status, "{}", Location=server.url + "/datasets")
    with pytest.raises(RemoteError, match="sends elsewhere"):
        wire(server).get("/datasets")
    assert len(server.asked) == 1


# --- certificates -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of this machine that nobody vouches for, with its key."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(7).not_valid_before(now - datetime.timedelta(1)).not_valid_after(now + datetime.timedelta(1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    path = tmp_path_factory.mktemp("certificate") / "server.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    return path


def test_certificates_are_verified(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving({}, certificate=certificate) as server:
        with pytest.raises(RemoteError, match="certificate"):
            wire(server).get("/datasets")
        assert server.asked == []
        monkeypatch.setenv("SSL_CERT_FILE", os.fspath(certificate))
        used = wire(server)
        assert used.get("/datasets").body == {"datasets": []}
        server.closes_after = 2
        assert [used.get("/datasets").status for _ in range(3)] == [200] * 3
        elsewhere = Wire(ServerAddress.of(server.url.replace("127.0.0.1", "localhost")), None, 5.0)
        with pytest.raises(RemoteError, match="certificate"):
            elsewhere.get("/datasets")
