"""What the processes of a server do: how a worker speaks HTTP, and what an engine tells that cannot start."""

from __future__ import annotations

import logging
import multiprocessing
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse

from tacita.web.demo import demo_settings
from tacita.web.serving import processes
from tacita.web.serving.processes import engine_main
from tests.web.serving.live_server import listening


async def _who(scope: Any, receive: Any, send: Any) -> None:
    request = Request(scope)
    host = request.client.host if request.client else ""
    await PlainTextResponse(f"{host} {scope['scheme']}")(scope, receive, send)


@pytest.mark.parametrize(
    ("proxies", "forwarded", "seen"),
    [
        ((), "203.0.113.9", "127.0.0.1 http"),
        (("10.0.0.0/8",), "203.0.113.9", "127.0.0.1 http"),
        (("127.0.0.1",), "203.0.113.9", "203.0.113.9 https"),
        (("127.0.0.1",), "198.51.100.1, 203.0.113.9", "203.0.113.9 https"),
    ],
)
def test_only_a_proxy_says_where_requests_come_from(proxies: tuple[str, ...], forwarded: str, seen: str) -> None:
    """Of several addresses the last one counts: the others were sent by the visitor himself."""
    headers = {"X-Forwarded-For": forwarded, "X-Forwarded-Proto": "https", "Forwarded": "for=203.0.113.9"}
    with listening(_who, trusts_proxy=proxies) as port:
        assert httpx.get(f"http://127.0.0.1:{port}/", headers=headers).text == seen


def test_an_engine_says_why_it_cannot_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "hold_on", lambda _: None)
    monkeypatch.setattr(processes.signal, "signal", lambda *_: None)
    settings = demo_settings(tmp_path, records=200)
    (tmp_path / "demo.key").unlink()
    report, told = multiprocessing.Pipe(duplex=False)
    with pytest.raises(SystemExit):
        engine_main(settings, tmp_path / "engine", told, report)
    assert "demo.key" in report.recv()


@pytest.mark.parametrize("is_heard", [True, False])
def test_what_goes_wrong_is_told_without_its_message(
    is_heard: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An engine that is started again may have nobody who listens; it must not end because of that."""

    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("canary 4711")

    monkeypatch.setattr(processes, "hold_on", lambda _: None)
    monkeypatch.setattr(processes.signal, "signal", lambda *_: None)
    monkeypatch.setattr("tacita.web.engine.process.run_engine", broken)
    report, told = multiprocessing.Pipe(duplex=False)
    if not is_heard:
        report.close()
    with pytest.raises(SystemExit):
        engine_main(demo_settings(tmp_path, records=200), tmp_path / "engine", told, told)
    if is_heard:
        said = report.recv()
        assert "RuntimeError" in said
        assert "4711" not in said


def test_the_log_has_no_messages_of_exceptions(caplog: pytest.LogCaptureFixture) -> None:
    log = logging.getLogger("tests.details")
    log.addFilter(processes._without_details)
    try:
        raise RuntimeError("canary 4711")
    except RuntimeError as error:
        log.exception("It failed: %s", error)
        log.error(f"It failed\n{error}")
    assert "It failed" in caplog.text
    assert "4711" not in caplog.text
