"""No idea is written twice: no two places of the source share more than twelve lines of code.

Docstrings, comments, imports, declarations (parameters of a function, fields of a class, exported names) and lines without a name
do not count. Lines are the same when they differ in nothing but names, numbers and texts, and one place's names stand for the
other's throughout: a copy with other variables is a copy.
"""

from __future__ import annotations

import ast
import io
import keyword
import tokenize
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.architecture.source import SRC, parsed, source_files

MOST = 12
SILENT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


class Line(NamedTuple):
    """A line of code: its number, and its words with the kind of each."""

    number: int
    words: tuple[tuple[int, str], ...]


def code_lines(path: Path) -> list[Line]:
    """The lines of a file that count."""
    text, passed = path.read_text(encoding="utf-8"), _passed_over(parsed(path))
    found: dict[int, list[tuple[int, str]]] = {}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in SILENT and token.start[0] not in passed:
            found.setdefault(token.start[0], []).append((token.type, token.string))
    spoken = {number: words for number, words in found.items() if any(kind == tokenize.NAME for kind, _ in words)}
    return [Line(number, tuple(words)) for number, words in sorted(spoken.items())]


def _passed_over(tree: ast.Module) -> set[int]:
    """The lines of docstrings, imports and declarations."""
    lines: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            lines.update(range(node.lineno, node.body[0].lineno))
        elif isinstance(node, ast.stmt) and _does_not_count(node):
            lines.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return lines


def _does_not_count(node: ast.stmt) -> bool:
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)  # a docstring
    if isinstance(node, ast.Assign):
        return ast.unparse(node.targets[0]) == "__all__"
    return isinstance(node, (ast.Import, ast.ImportFrom)) or (isinstance(node, ast.AnnAssign) and node.value is None)


def shape(lines: Iterable[Line], *, with_names: bool) -> tuple[str, ...]:
    """The words of some lines, each number and text as what it is, each name as one, or as the place where it was met first."""
    met: dict[str, int] = {}
    made = []
    for line in lines:
        for kind, word in line.words:
            if kind == tokenize.NAME and not keyword.iskeyword(word):
                made.append(f"name {met.setdefault(word, len(met))}" if with_names else "name")
            else:
                made.append(word if kind in {tokenize.NAME, tokenize.OP} else tokenize.tok_name[kind])
        made.append("\n")
    return tuple(made)


def shared(files: Iterable[Path], most: int = MOST) -> list[tuple[tuple[Path, int], tuple[Path, int]]]:
    """Return pairs of places, file and line, from which on more than ``most`` lines are the same."""
    known = {path: code_lines(path) for path in files}
    rough = {path: [hash(shape([line], with_names=False)) for line in lines] for path, lines in known.items()}
    places: dict[tuple[int, ...], list[tuple[Path, int]]] = defaultdict(list)
    for path, kinds in rough.items():
        for i in range(len(kinds) - most):
            places[tuple(kinds[i : i + most + 1])].append((path, i))
    found = []
    for alike in places.values():  # names are looked at only where all else is the same
        seen: dict[tuple[str, ...], tuple[Path, int]] = {}
        for path, i in alike if len(alike) > 1 else ():
            first, j = seen.setdefault(shape(known[path][i : i + most + 1], with_names=True), (path, i))
            if first != path or i - j > most:  # no place is a copy of itself, nor of what it overlaps with
                found.append(((first, known[first][j].number), (path, known[path][i].number)))
    return found


def _place(path: Path) -> str:
    return str(path.relative_to(SRC))


def test_no_idea_is_written_twice() -> None:
    found = [f"{_place(a)}:{i} and {_place(b)}:{j}" for (a, i), (b, j) in shared(source_files())]
    assert not found, f"more than {MOST} lines are the same, make one of them: {'; '.join(found)}"


PLANTED = [f"{name} = first({name}, {i}) + [{name}][0]" for i, name in enumerate("abcdefghijklm")]


@pytest.mark.parametrize(
    ("other", "is_copy"),
    [
        (PLANTED, True),
        ([line.replace("first", "second").upper() for line in PLANTED], True),
        (PLANTED[:-1], False),
        ([*PLANTED[:6], "gap = 1", *PLANTED[6:]], False),
        ([line.replace("+", "-") if line[0] == "f" else line for line in PLANTED], False),
    ],
    ids=["the same", "other names", "twelve lines", "a line between", "another sign"],
)
def test_a_planted_copy_is_seen(tmp_path: Path, other: list[str], is_copy: bool) -> None:
    one, two = tmp_path / "one.py", tmp_path / "two.py"
    one.write_text('"""One."""\n\nimport os\n\n' + "\n".join(PLANTED) + "\n")
    two.write_text('"""Two, with other words."""\n\n# and a comment\n' + "\n\n".join(other) + "\n")
    assert bool(list(shared([one, two]))) == is_copy
