"""No page says "not yet" of something that is there: a method, a public name, a verb, a room or a folder of one.

Pages and docstrings are cut into statements. A statement that says that something is still to come must not name anything that
the package has. In a row of a table the first cell and the cell that says "not yet" are looked at; a further cell may name what
to use instead. Names are compared word by word, without endings, so that ``localSuppression``, "suppressed" and "queries" count.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import tacita
from tacita.cli.main import VERBS
from tacita.core import registry
from tests.architecture.source import ROOT, SRC, parsed, source_files

STILL_TO_COME = re.compile(
    r"\bnot yet\b|\b(not|no)( \w+)? there yet\b|\b(not|nothing|no \w+) (in|of) this version\b|\bin this version no\b"
    r"|\bthis version (does|has|can|knows?) (not|no|nothing)\b"
    r"|\b(is|are) (still )?to come\b|\b(being|to be|will be|not) (built|implemented|supported)\b|\bwill be added\b"
    r"|\b(later|next|future|coming) versions?\b|\bno counterpart\b|\bplanned for\b",
    re.IGNORECASE,
)

EVERYDAY = {
    "core", "data", "numeric", "files", "model", "keys", "risk", "loss", "mask", "read", "id", "compare", "statistics",
    "compiled", "release", "exact", "fast", "samples", "formats", "disk", "replace", "sample", "il", "methods",
    "Column", "write",
}  # fmt: skip
"""Names that are also words of everyday language: a sentence with them is not about the method or the room."""


def words(text: str) -> tuple[str, ...]:
    """The words of a text without endings; words joined by capitals or signs are taken apart, numbers left out."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    return tuple(_stem(word) for word in re.findall(r"[a-z]+", apart.lower()))


def _stem(word: str) -> str:
    word = re.sub(r"ies$", "y", word)
    return re.sub(r"(?<=[a-z]{4})(isations?|izations?|ises?|izes?|ations?|ions?|ings?|ers?|ors?|ed|es|s|e)$", "", word)


def things() -> dict[tuple[str, ...], str]:
    """Everything that the package has, by the words of its name."""
    named = {m.name: f"the {m.kind} '{m.name}'" for m in registry.methods()}
    named |= {m.__name__: f"the {m.kind} '{m.name}'" for m in registry.methods()}
    named |= {name: f"the public name 'tacita.{name}'" for name in tacita.__all__ if not name.startswith("_")}
    named |= {verb: f"the verb 'tacita {verb}'" for verb in VERBS}
    named |= {
        path.parent.name: f"the folder {path.parent.relative_to(SRC.parent)}/" for path in SRC.rglob("__init__.py")
    }
    return {words(name): what for name, what in named.items() if name not in EVERYDAY and name != "tacita"}


# --- what pages say ------------------------------------------------------------------------------------------------------


def statements(page: str) -> Iterator[tuple[int, str]]:
    """Cut a page into rows of tables and sentences, with their lines; a title that speaks of what is to come goes before each.

    Code is left out. The title of a box counts for the indented lines below it, that of a section up to the next title.
    """
    title, box, in_code, paragraph, begin = "", "", False, "", 0
    for number, line in enumerate([*page.splitlines(), ""], 1):
        if line.lstrip().startswith("```"):
            in_code = not in_code
        told = line.strip()
        ends = in_code or not told or told[0] in "|#!" or re.match(r"([-*]|\d+\.|:) ", told) is not None
        if ends and paragraph:
            before = f"{title} {box}".strip()
            yield from ((begin, f"{before} {s}".strip()) for s in re.split(r"(?<=[.;:!?])\s+", paragraph))
            paragraph = ""
        if in_code or told.startswith("```"):
            continue
        if told.startswith("#"):
            title = told.lstrip("# ") if STILL_TO_COME.search(told) else ""
        if told.startswith("!!!"):
            box = told if STILL_TO_COME.search(told) else ""
        elif told and not line.startswith("    "):
            box = ""
        if told.startswith("|"):
            yield number, told
        elif told and told[0] not in "#!":
            begin = begin if paragraph else number
            paragraph = f"{paragraph} {told}".strip()


def said_of(statement: str) -> str:
    """The part of a statement that is said to be still to come; empty where nothing is."""
    if not STILL_TO_COME.search(statement):
        return ""
    if statement.startswith("|"):
        cells = statement.strip("| ").split("|")
        statement = " ".join([cells[0], *(cell for cell in cells[1:] if STILL_TO_COME.search(cell))])
    statement = re.sub(r"\w+\((?=method=)", "", statement)  # of another tool's function, only that method
    return STILL_TO_COME.sub(" . ", statement)


def stale(page: str, known: dict[tuple[str, ...], str] | None = None) -> list[str]:
    """What a page says to be still to come although it is there, with its lines."""
    known = things() if known is None else known
    found = []
    for line, statement in statements(page):
        spoken = words(said_of(statement))
        for name, what in known.items():
            n = len(name)
            if any(spoken[i : i + n] == name for i in range(len(spoken) - n + 1)) or (
                n > 1 and "".join(name) in spoken
            ):
                found.append(f"{line}: {what} is there: {statement}")
    return found


GENERATED = ROOT / "docs" / "reference"  # out of docstrings, which are looked at themselves
WRITTEN = [path for path in sorted((ROOT / "docs").rglob("*.md")) if not path.is_relative_to(GENERATED)]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *WRITTEN]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_page_calls_missing_what_is_there(path: Path) -> None:
    found = stale(path.read_text(encoding="utf-8"))
    assert not found, "\n".join([str(path.relative_to(ROOT)), *found])


def test_no_docstring_calls_missing_what_is_there() -> None:
    known, found = things(), []
    for path in source_files():
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                told = stale(ast.get_docstring(node) or "", known)
                found += [f"{path.relative_to(SRC)}: {text}" for text in told]
    assert not found, "\n".join(found)


# --- the guard itself ----------------------------------------------------------------------------------------------------

WERE_STALE = [
    # coming-from.md
    "| `ghostVars` | role `linked` with `linked_to`; local suppression, which would use it, is not yet there |",
    "| `globalRecode`, `groupAndRename`, `topBotCoding` | not yet | |",
    "| `localSuppression`, `kAnon` | not yet | |",
    "| `pram` | not yet | |",
    "| `recordSwap` (targeted record swapping) | not yet | `tc.mask.DataSwap` swaps at random |",
    "| `freqCalc`, `indivRisk`, `kAnon_violations`, `ldiversity`, `suda2`, `modRisk` | not yet | |",
    "| k-anonymity by generalization and suppression, l-diversity, t-closeness | not yet |",
    "| search for the best transformation | not yet |",
    # the first tutorial, the first page
    "It masks numeric columns. It does not yet recode or suppress categorical\ncolumns.",
    "Categorical keys can be swapped or microaggregated, but not yet recoded or suppressed.",
    '!!! warning "What this version does not do"\n    There is no audit of tables.',
    "Recoding and suppression of such keys are not in this\nversion, and the risk of rare combinations is not measured.",
    "## Not in this version\n\nFirst some words.\n\nSampling and calibration.",
    # README.md
    "| risk of rare combinations of keys, individual and household risk | not yet |",
    "| tables: sensitivity rules, suppression, rounding, audit | not yet |",
    # architecture.md
    "Tables and queries (3 and 4) are to come; their rooms are not there yet.",
    "Tables are being built.",
]
TRUE = [
    "| `addNoise(method=\"correlated2\")`, `\"restr\"` | not yet | in expectation: `tc.mask.LinearNoise` |",
    "| quantum secrecy | not yet | `tc.mask.Pram` comes near |",
    "There is local suppression.",
    "Quantum secrecy is to come; local suppression is there.",
    "To come closer to k-anonymity, ask for one width.",
    "```text\nlocal suppression is not yet there\n```",
    "## Not in this version\n\nQuantum secrecy.\n\n## Next\n\nLocal suppression.",
]  # fmt: skip


@pytest.mark.parametrize("page", WERE_STALE)
def test_a_planted_stale_statement_is_seen(page: str) -> None:
    assert stale(page)


@pytest.mark.parametrize("page", TRUE)
def test_a_true_statement_is_accepted(page: str) -> None:
    assert stale(page) == []


def test_what_is_new_makes_a_page_stale() -> None:
    page = "| queries: a server with policy and journal | not yet |"
    assert stale(page, {}) == []
    assert stale(page, {words("query"): "the room query/"})
