"""The documentation is complete: verbs, methods, words and links."""

from __future__ import annotations

import re
from pathlib import Path

import docs_markdown
from docs_command_line import verbs
from docs_examples import ROOT, pages
from docs_methods import method_page_name
from docs_pictures import has_picture
from machine_paths import traces

import tacita as tc
from tacita.core import registry

_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
_BANNED = ("simply", "just ", "powerful", "seamless", "blazing", "state-of-the-art", "cutting-edge")


def test_every_verb_has_an_example() -> None:
    used = {command.split()[1] for page in pages() for command in page.commands() if command.startswith("tacita ")}
    assert set(verbs()) <= used


def test_every_verb_and_option_is_in_the_reference(reference: Path) -> None:
    text = (reference / "command-line.md").read_text(encoding="utf-8")
    for name, command in verbs().items():
        assert f"## {name}\n" in text
        for parameter in command.params:
            for option in parameter.opts:
                assert option.startswith("-") is False or f"`{option}`" in text, f"{name} {option}"


def test_every_method_has_a_page(reference: Path) -> None:
    listed = (reference / "methods" / "index.md").read_text(encoding="utf-8")
    for method in registry.methods():
        page = reference / "methods" / f"{method_page_name(method)}.md"
        text = page.read_text(encoding="utf-8")
        assert page.name in listed
        for parameter in method.parameters():
            assert f"`{parameter.name}`" in text, f"{page.name}: {parameter.name}"
            assert parameter.help, f"{method.__name__}: '{parameter.name}' has no words in a Parameters section"


def test_every_mask_of_numbers_has_a_picture(reference: Path) -> None:
    for method in registry.methods("mask"):
        picture = reference / "methods" / "images" / f"{method_page_name(method)}.svg"
        assert picture.exists() == has_picture(method)
        if picture.exists():
            text = picture.read_text(encoding="utf-8")
            assert text.startswith("<svg")
            assert "http://" not in text.replace("http://www.w3.org/", "")


def test_every_error_is_in_the_reference(reference: Path) -> None:
    from tacita.core import errors

    text = (reference / "errors.md").read_text(encoding="utf-8")
    for name in errors.__all__:
        if isinstance(getattr(errors, name), type):
            assert f"`{name}`" in text


def test_every_public_name_is_in_the_reference(reference: Path) -> None:
    text = (reference / "python.md").read_text(encoding="utf-8")
    for name in tc.__all__:
        assert name.startswith("_") or f"tc.{name}" in text


def _glossary() -> set[str]:
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    terms = re.findall(r"^(\S[^\n]*)\n:   ", text, re.MULTILINE)
    return {re.sub(r" \(.*\)$", "", word).strip("`") for term in terms for word in term.split(", ")}


def test_every_parameter_is_in_the_glossary() -> None:
    names = {parameter.name for method in registry.methods() for parameter in method.parameters()}
    missing = sorted(names - _glossary())
    assert not missing, f"add to docs/glossary.md: {', '.join(missing)}"


def test_every_role_and_scale_is_in_the_glossary() -> None:
    from tacita.core.vocabulary import ROLES

    assert {role for role in ROLES if role != "other"} <= _glossary()


def test_relative_links_resolve(reference: Path) -> None:
    for page in pages():
        text = _CODE.sub("", page.path.read_text(encoding="utf-8"))
        for link in _LINK.findall(text):
            if re.match(r"[a-z]+:", link):
                continue
            target, _, anchor = link.partition("#")
            path = (page.path.parent / target).resolve() if target else page.path
            generated = ROOT / "docs" / "reference"
            if path.is_relative_to(generated):
                path = reference / path.relative_to(generated)
            assert path.exists(), f"{page.name}: {link}"
            if anchor:
                assert anchor in _anchors(path), f"{page.name}: {link}"


def test_links_of_the_reference_resolve(reference: Path) -> None:
    for page in reference.rglob("*.md"):
        for link in _LINK.findall(_CODE.sub("", page.read_text(encoding="utf-8"))):
            target, _, anchor = link.partition("#")
            path = (page.parent / target).resolve() if target else page
            assert path.exists(), f"{page.name}: {link}"
            assert not anchor or anchor in _anchors(path), f"{page.name}: {link}"


def _anchors(path: Path) -> set[str]:
    from markdown.extensions.toc import slugify

    heads = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {slugify(head.replace("`", ""), "-") for head in heads}


def test_pages_speak_of_the_project_alone() -> None:
    for page in pages():
        text = page.path.read_text(encoding="utf-8")
        assert not list(traces([page.path]))
        for trace in ("localhost", "PyPI", "github.com"):
            assert trace not in text, f"{page.name}: {trace}"
        for word in _BANNED:
            assert word not in text.lower(), f"{page.name}: '{word.strip()}' is no plain statement"


def test_the_generated_reference_has_no_trace_of_a_machine(reference: Path) -> None:
    for page in reference.rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        assert " object at 0x" not in text, page.name
        assert str(ROOT) not in text, page.name


# --- from docstrings to Markdown -------------------------------------------------------------------------------------------


def test_a_docstring_is_taken_apart() -> None:
    doc = docs_markdown.Docstring(
        """Do a thing.

        How it works, with ``code``.

        Parameters
        ----------
        p
            A percentage | of records.

        Examples
        --------
        >>> 1 + 1
        2
        """
    )
    text = "\n".join(doc.markdown(level=2))
    assert doc.summary == "Do a thing."
    assert "with `code`." in text
    assert "| `p` | A percentage \\| of records. |" in text
    assert "```pycon\n>>> 1 + 1\n2\n```" in text


def test_a_table_in_a_docstring_becomes_a_table() -> None:
    text = docs_markdown.prose("====== ====\nname   role\n====== ====\nage    key\n       or other\n====== ====")
    assert text == "| name | role |\n| --- | --- |\n| age | key or other |"
