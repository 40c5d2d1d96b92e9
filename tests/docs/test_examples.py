"""Every example of the documentation runs and prints what the page shows; tools/docs_examples.py has the rules."""

from __future__ import annotations

import docs_examples
import pytest
from docs_examples import Block, ExampleError, Page, compare, pages, run_page


@pytest.mark.parametrize("page", [page for page in pages() if not page.is_in_shell], ids=lambda page: page.name)
def test_examples_of_a_page_run(page: Page) -> None:
    ran = [block for block, _ in run_page(page)]
    assert ran == [block for block in page.blocks if block.exempt is None and block.kind in ("python", "console")]


def test_pages_are_found() -> None:
    names = {page.name for page in pages()}
    assert {"README.md", "CONTRIBUTING.md", "docs/glossary.md", "docs/tutorial/first-release.md"} <= names
    assert sum(block.kind in ("python", "console") for page in pages() for block in page.blocks) > 40


def test_every_exemption_has_a_reason() -> None:
    for page in pages():
        for block in page.blocks:
            assert block.exempt is None or len(block.exempt.split()) >= 3, f"{page.name}, line {block.start}"


# --- the comparison itself ------------------------------------------------------------------------------------------------


def accepted(expected: list[str], printed: list[str]) -> bool:
    try:
        compare(expected, printed, "here")
    except ExampleError:
        return False
    return True


@pytest.mark.parametrize(
    ("expected", "printed"),
    [
        (["a  b"], ["a b "]),
        (["a", "", "b"], ["a", "b"]),
        (["a", "...", "d"], ["a", "b", "c", "d"]),
        (["..."], []),
        (["value 10.0 %"], ["value 10.05 %"]),
        (["1,608 records"], ["1608 records"]),
        (["Wrote ... pages"], ["Wrote many pages"]),
        (["(1 time(s))"], ["(1 time(s))"]),
    ],
)
def test_output_that_is_accepted(expected: list[str], printed: list[str]) -> None:
    assert accepted(expected, printed)


@pytest.mark.parametrize(
    ("expected", "printed"),
    [
        (["a"], ["b"]),
        (["a"], ["a", "b"]),
        (["a", "b"], ["a"]),
        (["value 10.0 %"], ["value 10.3 %"]),
        (["value 10.0 %"], ["value ten %"]),
        (["0.0"], ["0.1"]),
    ],
)
def test_output_that_is_refused(expected: list[str], printed: list[str]) -> None:
    assert not accepted(expected, printed)


def _page(*blocks: Block) -> Page:
    return Page(docs_examples.ROOT / "made-up.md", blocks)


def test_a_command_may_end_with_the_exit_code_that_is_named() -> None:
    block = Block("console", ("$ tacita methods no_such_method",), 1, exits="2 there is no such method")
    ((ran, printed),) = run_page(_page(block))
    assert ran == block
    assert "no_such_method" in "\n".join(printed)


@pytest.mark.parametrize(
    "block",
    [
        Block("python", ("1 / 0",), 1),
        Block("console", ("$ tacita methods no_such_method",), 1),
        Block("console", ("$ tacita --version", "tacita nothing"), 1),
        Block("console", ("$ rm -r .",), 1),
        Block("console", ("$ tacita methods no_such_method",), 1, exits="4 not judged"),
    ],
    ids=lambda block: block.lines[0],
)
def test_a_broken_example_fails(block: Block) -> None:
    with pytest.raises(ExampleError):
        run_page(_page(block))


def test_an_exempt_block_does_not_run() -> None:
    assert run_page(_page(Block("python", ("1 / 0",), 1, exempt="it would fail"))) == []


def test_blocks_of_a_page_share_names_and_files() -> None:
    ran = run_page(
        _page(
            Block("text", ("age",), 1, file="a.txt"),
            Block("python", ("word = open('a.txt').read().strip()",), 5),
            Block("python", ("print(word)",), 9),
        )
    )
    assert ran[-1][1] == ["age"]
