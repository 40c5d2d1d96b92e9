"""What the tests of the deployment share: the files, and the options of the program."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import typer

__all__ = ["DEPLOY", "check_command", "comments_of"]

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"


def check_command(words: list[str]) -> dict[str, list[str]]:
    """Check that every verb and option of a command is one of the program; return the values of its options."""
    from tacita.cli.main import app

    command: Any = typer.main.get_command(app)
    words = list(words)
    while words and hasattr(command, "get_command") and not words[0].startswith("-"):
        found = command.get_command(None, words[0])
        assert found is not None, f"there is no '{words[0]}'"
        command, words = found, words[1:]
    options = {name: one for one in command.params for name in one.opts if name.startswith("-")}
    values: dict[str, list[str]] = {}
    while words:
        word = words.pop(0)
        if word.startswith("-"):
            assert word in options, f"there is no option {word} of '{command.name}'"
            values.setdefault(word, []).append("" if options[word].is_flag else words.pop(0))
    return values


def comments_of(text: str) -> list[list[str]]:
    """Return every command of ours in comments, as words."""
    found = re.findall(r"(?<![\w/-])(?:/usr/local/lib/tacita/bin/)?tacita ((?:serve|server)\b[^'\n(]*)", text)
    return [shlex.split(one) for one in found]
