"""Runs the examples of the documentation and compares, or rewrites, the output that stands below them.

What runs
---------
The fenced blocks of a page run in their order, in one namespace and one temporary directory a page:

* ``python`` blocks are executed. A ``text`` block right after one is the output it must print.
* ``console`` blocks: every line ``$ tacita ...`` calls the program, ``$ ls`` and ``$ cat`` the shell; the lines up to
  the next ``$`` are the output. A command must end with exit code 0, or with the one that ``<!-- exits: CODE REASON -->``
  names before the block.
* a block after ``<!-- file: NAME -->`` is written to that file, so that later blocks can read it. A ``python`` block that
  goes to ``src/`` is imported under the name it would have in the package; one that goes to ``tests/`` is imported and its
  tests are called.
* a ``python`` block may warn only after ``<!-- warns: REASON -->``; otherwise a warning of ours is a failure.
* a block after ``<!-- not run: REASON -->`` is left alone. Other kinds of block (``sh``, ``toml``) are never run.
* a page with ``<!-- in a shell: REASON -->`` is run by ``docs_shell.py``, which has further rules.

How output is compared
----------------------
Loosely. Runs of blanks count as one, blank lines not at all. A line ``...`` stands for any lines, and ``...`` inside a
line for any text. Numbers may differ by one percent, so that another processor is not a failure. Output on standard
error belongs to the output. A command without output lines below it may print what it likes.

Command line
------------
``python tools/docs_examples.py`` checks all pages. With ``--update`` the output blocks are rewritten from what is
printed now; blocks that use ``...`` are left to the writer, except those that hold nothing else.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
import traceback
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

__all__ = [
    "Block",
    "ExampleError",
    "Page",
    "compare",
    "is_right_below",
    "pages",
    "run_page",
    "run_python",
    "split_console",
    "update_page",
]

ROOT = Path(__file__).resolve().parent.parent
ELLIPSIS = "..."
EXAMPLE = "tacita_docs_example"
TOLERANCE = 0.01
_FENCE = re.compile(r"^(?P<indent>[ ]*)```(?P<kind>\w*)[^\n]*$")
_MARK = re.compile(r"<!--\s*(?P<word>not run|file|warns|exits|browser):\s*(?P<value>.*?)\s*-->\s*$")
_IN_SHELL = re.compile(r"^<!--\s*in a shell:.*?-->\s*$", re.MULTILINE)
_NUMBER = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d+)?")
_SHELL = ("ls", "cat")


class ExampleError(AssertionError):
    """An example of the documentation does not do what the page says."""


@dataclass(frozen=True)
class Block:
    """A fenced block of a page.

    Parameters
    ----------
    kind
        The word after the fence.
    lines
        Its content, without the indentation of the fence.
    start
        Number of the fence's line in the file, from 1.
    indent
        The indentation of the fence.
    exempt
        Why the block is not run, if it is not.
    file
        The file that its content is written to, if any.
    warns
        Why the block may warn, if it may.
    exits
        The exit code other than 0 that its commands may end with, and why.
    browser
        Of a ``text`` block on a page that runs in a shell: the address that shows this text.
    """

    kind: str
    lines: tuple[str, ...]
    start: int
    indent: str = ""
    exempt: str | None = None
    file: str | None = None
    warns: str | None = None
    exits: str | None = None
    browser: str | None = None

    @property
    def text(self) -> str:
        """The content as one text."""
        return "\n".join(self.lines) + "\n"


@dataclass(frozen=True)
class Page:
    """A page of the documentation and its blocks."""

    path: Path
    blocks: tuple[Block, ...] = field(repr=False)
    is_in_shell: bool = False

    @classmethod
    def read(cls, path: Path) -> Page:
        """Read a Markdown file."""
        text = path.read_text(encoding="utf-8")
        return cls(path, tuple(_blocks(text.splitlines())), _IN_SHELL.search(text) is not None)

    @property
    def name(self) -> str:
        """Where the page stands, seen from the root of the repository."""
        return self.path.relative_to(ROOT).as_posix() if self.path.is_relative_to(ROOT) else self.path.name

    def commands(self) -> Iterator[str]:
        """Give every command line of the console blocks, exempt ones included."""
        for block in self.blocks:
            if block.kind == "console":
                for command, _ in split_console(block):
                    yield command


def pages(root: Path = ROOT) -> list[Page]:
    """Return every page that people wrote: the files at the root and in docs/, without the generated reference."""
    found = [
        *(root / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
        *sorted((root / "docs").rglob("*.md")),
    ]
    generated = root / "docs" / "reference"
    return [Page.read(path) for path in found if path.exists() and not path.is_relative_to(generated)]


def _blocks(lines: list[str]) -> Iterator[Block]:
    marks: dict[str, str] = {}
    number = 0
    while number < len(lines):
        line = lines[number]
        mark, fence = _MARK.search(line), _FENCE.match(line)
        if mark:
            marks[mark["word"]] = mark["value"]
        elif fence:
            indent = fence["indent"]
            end = next(n for n in range(number + 1, len(lines)) if lines[n].strip() == "```")
            content = tuple(text.removeprefix(indent) for text in lines[number + 1 : end])
            told = [marks.get(word) for word in ("not run", "file", "warns", "exits", "browser")]
            yield Block(fence["kind"], content, number + 1, indent, *told)
            marks, number = {}, end
        elif line.strip():
            marks = {}
        number += 1


def split_console(block: Block) -> list[tuple[str, list[str]]]:
    """Return each command of a console block with the output lines below it."""
    found: list[tuple[str, list[str]]] = []
    for line in block.lines:
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found and found[-1][0].endswith("\\"):
            found[-1] = (found[-1][0][:-1].rstrip() + " " + line.strip(), [])
        elif found:
            found[-1][1].append(line)
    return found


# --- running ------------------------------------------------------------------------------------------------------------


def run_page(page: Page) -> list[tuple[Block, list[str]]]:
    """Run all blocks of a page, check their output, and return for each block what it printed, line by line."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        return [(block, printed) for block, printed in _run(page, check=True)]


def _run(page: Page, *, check: bool) -> Iterator[tuple[Block, list[str]]]:
    # The namespace looks like a module's, so that dataclasses in examples find their module.
    module = type(sys)(EXAMPLE)
    with _nothing_left_behind():
        sys.modules[module.__name__] = module
        for number, block in enumerate(page.blocks):
            where = f"{page.name}, line {block.start}"
            if block.exempt is not None:
                continue
            if block.file is not None:
                Path(block.file).parent.mkdir(parents=True, exist_ok=True)
                Path(block.file).write_text(block.text, encoding="utf-8")
            if block.kind == "python" and block.file is not None:
                _import_file(Path(block.file), where)
                yield block, []
            elif block.kind == "python":
                printed = run_python(block, vars(module), where)
                below = page.blocks[number + 1] if number + 1 < len(page.blocks) else None
                if check and below is not None and below.kind == "text" and is_right_below(block, below):
                    compare(below.lines, printed, where)
                yield block, printed
            elif block.kind == "console":
                yield block, _run_console(block, where, check=check)


@contextlib.contextmanager
def _nothing_left_behind() -> Iterator[None]:
    """Forget the modules and methods that an example brings, so that one page never changes what another one sees."""
    from tacita.core import registry
    from tacita.tables.suppression.engine import engines, unregister_engine

    methods, modules, known = set(registry.methods()), set(sys.modules), set(engines())
    try:
        yield
    finally:
        for method in [m for m in registry.methods() if m not in methods]:
            registry.unregister(method)
        for engine in [e for e in engines() if e not in known]:
            unregister_engine(engine)
        for name in [m for m in sys.modules if m not in modules and _is_of_example(sys.modules[m])]:
            del sys.modules[name]


def _is_of_example(module: Any) -> bool:
    """Whether a module came from a page: from a file in the temporary directory, or from the page's own namespace."""
    return module.__name__ == EXAMPLE or str(getattr(module, "__file__", "")).startswith(str(Path.cwd().resolve()))


def is_right_below(block: Block, below: Block) -> bool:
    """Whether one block follows another with nothing but a blank line between."""
    return below.start - (block.start + len(block.lines) + 1) <= 2


def run_python(block: Block, namespace: dict[str, Any], where: str) -> list[str]:
    """Run a block of Python and return what it printed, line by line."""
    from tacita.core.errors import TacitaWarning

    out = io.StringIO()
    # Empty lines in front keep the line numbers of a traceback those of the page.
    code = "\n" * block.start + block.text
    try:
        with contextlib.redirect_stdout(out), warnings.catch_warnings():
            warnings.simplefilter("error" if block.warns is None else "ignore", TacitaWarning)
            exec(compile(code, where, "exec"), namespace)
    except Exception as error:
        raise ExampleError(f"{where}: {traceback.format_exc(limit=-3)}") from error
    return out.getvalue().splitlines()


def _import_file(path: Path, where: str) -> None:
    """Import a file of the repository that a page shows, and call its tests."""
    name = ".".join(part for part in path.with_suffix("").parts if part != "src")
    spec = importlib.util.spec_from_file_location(name, path.resolve())
    if spec is None or spec.loader is None:
        raise ExampleError(f"{where}: '{path}' is no Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # forgotten again at the end of the page
    try:
        spec.loader.exec_module(module)
        for word, thing in list(vars(module).items()):
            if word.startswith("test_"):
                thing()
    except Exception as error:
        raise ExampleError(f"{where}: {traceback.format_exc(limit=-3)}") from error


def _run_console(block: Block, where: str, *, check: bool) -> list[str]:
    shown: list[str] = []
    for command, expected in split_console(block):
        code, printed = _run_command(command)
        if str(code) not in ("0", *(block.exits or "").split()[:1]):
            raise ExampleError(f"{where}: '{command}' ended with exit code {code}:\n" + "\n".join(printed))
        if check and expected:
            compare(expected, printed, f"{where}: $ {command}")
        shown += [f"$ {command}", *printed] if expected else [f"$ {command}"]
    return shown


def _run_command(command: str) -> tuple[int, list[str]]:
    words = shlex.split(command)
    if words[0] in _SHELL:
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        return done.returncode, (done.stdout + done.stderr).splitlines()
    if words[0] != "tacita":
        raise ExampleError(f"A console block runs 'tacita', 'ls' and 'cat' only, got '{command}'.")
    from tacita.cli.main import run

    # The program itself, in this process: a new process for each line would only load the same libraries again.
    out = io.StringIO()
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(out),
        mock.patch.object(sys, "argv", words),
        warnings.catch_warnings(),
    ):
        warnings.resetwarnings()
        try:
            run()
            code = 0
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else int(bool(stop.code))
        except Exception as error:
            raise ExampleError(f"'{command}': {traceback.format_exc(limit=-3)}") from error
    return code, [line.rstrip() for line in out.getvalue().splitlines()]


# --- comparing ------------------------------------------------------------------------------------------------------------


def compare(
    expected: tuple[str, ...] | list[str], printed: list[str], where: str, *, tolerance: float = TOLERANCE
) -> None:
    """Raise where printed lines are not what the page shows; the module's docstring has the rule."""
    wanted, got = _tidy(expected), _tidy(printed)
    if not _matches(wanted, got, tolerance):
        raise ExampleError(
            f"{where}: the page shows\n  " + "\n  ".join(wanted) + "\nbut this was printed:\n  " + "\n  ".join(got)
        )


def _tidy(lines: tuple[str, ...] | list[str]) -> list[str]:
    return [" ".join(line.split()) for line in lines if line.strip()]


def _matches(wanted: list[str], got: list[str], tolerance: float) -> bool:
    if not wanted:
        return not got
    if wanted[0] == ELLIPSIS:
        return any(_matches(wanted[1:], got[skip:], tolerance) for skip in range(len(got) + 1))
    is_same = bool(got) and _line_matches(wanted[0], got[0], tolerance)
    return is_same and _matches(wanted[1:], got[1:], tolerance)


def _line_matches(wanted: str, got: str, tolerance: float) -> bool:
    parts = wanted.split(ELLIPSIS)
    pattern = ".*".join(f"({_NUMBER.pattern})".join(re.escape(t) for t in _NUMBER.split(part)) for part in parts)
    found = re.fullmatch(pattern, got)
    if found is None:
        return False
    shown = [number for part in parts for number in _NUMBER.findall(part)]
    return all(_near(a, b, tolerance) for a, b in zip(shown, found.groups(), strict=True))


def _near(a: str, b: str, tolerance: float) -> bool:
    x, y = float(a.replace(",", "")), float(b.replace(",", ""))
    return abs(x - y) <= tolerance * max(abs(x), abs(y))


# --- rewriting ------------------------------------------------------------------------------------------------------------


def update_page(page: Page) -> bool:
    """Rewrite the output below the examples of a page; return whether anything changed."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        printed = {block.start: lines for block, lines in _run(page, check=False)}
    lines = page.path.read_text(encoding="utf-8").splitlines()
    for number in range(len(page.blocks) - 1, -1, -1):
        block = page.blocks[number]
        above = page.blocks[number - 1] if number else None
        if any(ELLIPSIS in line for line in block.lines) and block.lines != (ELLIPSIS,):
            continue
        if block.kind == "console" and block.start in printed:
            made = printed[block.start]
        elif block.kind == "text" and above is not None and above.start in printed and is_right_below(above, block):
            made = printed[above.start]
        else:
            continue
        lines[block.start : block.start + len(block.lines)] = [(block.indent + line).rstrip() for line in made]
    text = "\n".join(lines) + "\n"
    if text == page.path.read_text(encoding="utf-8"):
        return False
    page.path.write_text(text, encoding="utf-8")
    return True


def main() -> int:
    """Check or rewrite the examples of all pages, or of those named."""
    parser = argparse.ArgumentParser(description="Run the examples of the documentation.")
    parser.add_argument("pages", nargs="*", type=Path, help="pages to run; default: all")
    parser.add_argument("--update", action="store_true", help="rewrite the output below the examples")
    asked = parser.parse_args()
    from docs_shell import run_in_shell

    failed = 0
    chosen = [Page.read(path.resolve()) for path in asked.pages] or pages()
    for page in chosen:
        try:
            if page.is_in_shell:
                run_in_shell(page)
            changed = not page.is_in_shell and (update_page(page) if asked.update else bool(run_page(page)) and False)
            sys.stdout.write(f"{'rewritten' if changed else 'good':<10}{page.name}\n")
        except ExampleError as error:
            failed += 1
            sys.stdout.write(f"{'failed':<10}{error}\n")
    return 1 if failed else 0


if __name__ == "__main__":
    os.environ.setdefault("COLUMNS", "140")
    sys.exit(main())
