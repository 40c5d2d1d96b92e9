"""Sites of nginx and Caddy: limits that fit those of the server, and nobody can say to come from another address."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tacita.web.settings import ServerSettings
from tests.deploy.places import DEPLOY, check_command, comments_of

NGINX = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
CADDY = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
SETTINGS = ServerSettings.read(DEPLOY / "server.toml")
LIMITS = SETTINGS.limits


def nginx(name: str) -> list[str]:
    """Return the values of a directive."""
    return re.findall(rf"^\s*{name} +([^;]*);", NGINX, re.MULTILINE)


def seconds(text: str) -> float:
    assert text.endswith("s")
    return float(text[:-1])


@pytest.mark.parametrize("text", [NGINX, CADDY], ids=["nginx", "caddy"])
def test_commands_in_comments_are_those_of_the_program(text: str) -> None:
    found = comments_of(text)
    assert found
    for words in found:
        assert check_command(words)["--proxy"] == ["127.0.0.1"]


def test_nginx_sets_the_address_of_the_visitor() -> None:
    said = [value for value in nginx("proxy_set_header") if value.startswith("X-Forwarded-For")]
    assert said == ["X-Forwarded-For $remote_addr"] * len(nginx("proxy_pass"))
    assert "$proxy_add_x_forwarded_for" not in NGINX
    assert 'Forwarded ""' in nginx("proxy_set_header")


def test_nginx_has_limits_that_fit() -> None:
    (size,) = nginx("client_max_body_size")
    assert LIMITS.body < int(size.removesuffix("k")) * 1024 < 1.1 * LIMITS.body
    assert nginx("client_body_buffer_size") == [size]
    for name in ("client_header_timeout", "client_body_timeout", "send_timeout"):
        assert seconds(nginx(name)[0]) == LIMITS.patience
    assert seconds(nginx("proxy_read_timeout")[0]) > LIMITS.seconds
    assert nginx("proxy_next_upstream") == ["off"]
    assert nginx("proxy_max_temp_file_size") == ["0"]
    assert set(nginx("access_log")) == {"off"}
    assert all(value.endswith(" crit") for value in nginx("error_log"))
    assert set(nginx("server_name")) == set(SETTINGS.hosts)


def test_braces_are_closed() -> None:
    for text in (NGINX, CADDY):
        plain = re.sub(r"#.*", "", text)
        assert plain.count("{") == plain.count("}")


def test_caddy_has_limits_that_fit() -> None:
    size = re.search(r"max_size (\d+)KiB", CADDY)
    assert size is not None
    assert LIMITS.body < int(size[1]) * 1024 < 1.1 * LIMITS.body
    assert "header_up X-Forwarded-For {remote_host}" in CADDY
    told = dict(re.findall(r"^\s*(read_header|read_body|write|response_header_timeout) (\d+)s", CADDY, re.MULTILINE))
    assert float(told["read_header"]) == float(told["read_body"]) == LIMITS.patience
    assert float(told["write"]) > float(told["response_header_timeout"]) > LIMITS.seconds
    assert all(f"\n{host} {{" in CADDY for host in SETTINGS.hosts)


def test_nginx_takes_the_site(tmp_path: Path) -> None:
    program, openssl = shutil.which("nginx"), shutil.which("openssl")
    if program is None or openssl is None:
        pytest.skip("there is no nginx, or no openssl for a certificate")
    made = ["-keyout", str(tmp_path / "privkey.pem"), "-out", str(tmp_path / "fullchain.pem")]
    command = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=data.example.org", *made]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    site = (
        NGINX.replace("/etc/ssl/data.example.org", str(tmp_path))
        .replace("/var/log/nginx", str(tmp_path))
        .replace("443", "44300")
        .replace("listen 80;", "listen 8080;")
    )
    whole = tmp_path / "nginx.conf"
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    folders = "".join(f"{kind}_temp_path {tmp_path}/{kind};\n" for kind in kinds)
    whole.write_text(f"pid {tmp_path}/pid;\nerror_log stderr;\nevents {{}}\nhttp {{\n{folders}{site}\n}}\n")
    done = subprocess.run([program, "-t", "-c", str(whole)], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr


def test_caddy_takes_the_site() -> None:
    program = shutil.which("caddy")
    if program is None:
        pytest.skip("there is no caddy")
    command = [program, "adapt", "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
