"""The Dockerfile: its instructions are ones, nothing secret goes in, and nobody is root. No engine builds it here."""

from __future__ import annotations

import json
import re

from tests.deploy.places import DEPLOY, check_command

TEXT = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
INSTRUCTIONS = (
    {"FROM", "COPY", "RUN", "ENV", "VOLUME", "WORKDIR", "USER", "EXPOSE", "STOPSIGNAL", "HEALTHCHECK"}
    | {"ENTRYPOINT", "CMD"}
)  # fmt: skip


def steps() -> list[tuple[str, str]]:
    """Return the instructions with their arguments, lines that go on joined."""
    lines = [line for line in TEXT.splitlines() if line.strip() and not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ").splitlines()
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in joined)]


def last_stage() -> dict[str, str]:
    """Return the instructions of the image itself, the last of each kind."""
    found = steps()
    begin = max(number for number, (word, _) in enumerate(found) if word == "FROM")
    return dict(found[begin:])


def test_every_line_is_an_instruction() -> None:
    found = steps()
    assert {word for word, _ in found} <= INSTRUCTIONS
    assert found[0][0] == "FROM"
    assert all(rest for _, rest in found)


def test_it_runs_as_nobody_in_particular() -> None:
    user, _, group = last_stage()["USER"].partition(":")
    assert int(user) > 0
    assert int(group) > 0
    made = next(rest for word, rest in steps() if word == "RUN" and "useradd" in rest)
    assert f"--uid {user}" in made
    names = [word for word, _ in steps()]
    assert names.index("USER") > max(number for number, word in enumerate(names) if word == "RUN")


def test_it_serves_with_options_of_the_program() -> None:
    stage = last_stage()
    words = json.loads(stage["ENTRYPOINT"]) + json.loads(stage["CMD"])
    assert words[0] == "tacita"
    given = check_command(words[1:])
    assert given["--port"] == [stage["EXPOSE"]]
    assert "--plain-http" in given


def test_it_asks_for_its_health_where_it_listens() -> None:
    stage = last_stage()
    said, _, command = stage["HEALTHCHECK"].partition(" CMD ")
    assert "--timeout" in said
    program, flag, code = json.loads(command)
    assert (program, flag) == ("python", "-c")
    compile(code, "HEALTHCHECK", "exec")
    assert f"http://127.0.0.1:{stage['EXPOSE']}/health" in code


def test_only_the_wheel_goes_in_and_state_lies_in_a_volume() -> None:
    copied = [rest for word, rest in steps() if word == "COPY"]
    assert copied == ["dist/*.whl /wheels/", "--from=build /usr/local/lib/tacita /usr/local/lib/tacita"]
    stage = last_stage()
    assert stage["VOLUME"] == stage["WORKDIR"] == "/var/lib/tacita"
    assert stage["STOPSIGNAL"] == "SIGTERM"
    for word in ("secret", "token", "password", "ARG"):
        assert not re.search(rf"\b{word}\b", "\n".join(f"{a} {b}" for a, b in steps()), re.IGNORECASE)


def test_the_server_is_installed_with_what_it_needs() -> None:
    installed = next(rest for word, rest in steps() if word == "RUN" and "pip install" in rest)
    assert "[server]" in installed
