"""The parts of a policy by the names that files call them."""

from __future__ import annotations

import pytest

from tacita.core.errors import ParameterError
from tacita.query.noise.cell_key import CellKeyNoise
from tacita.query.policy.parts import PARTS, part_from_plain, part_to_plain
from tacita.query.subsample.drop_q import DropQ

REQUIRED = {("cutpoints", "given"): {"edges": [1.0, 2.0]}, ("input", "added"): {"sd": 2.0}}
REQUIRED |= {("cutpoints", way): {"minimum": 20} for way in ("fixed", "minimum", "increasing", "partitioned")}
"""What methods without defaults are built with."""


@pytest.mark.parametrize(
    ("word", "method"), [(word, method) for word, methods in PARTS.items() for method in methods], ids=str
)
def test_every_part_comes_back_from_its_table(word: str, method: str) -> None:
    plain = {"method": method, **REQUIRED.get((word, method), {})}
    made = part_from_plain(word, plain)
    again = part_from_plain(word, part_to_plain(word, made))
    assert again == made
    assert part_to_plain(word, made)["method"] == method
    assert type(made) is PARTS[word][method]


def test_parameters_are_checked_as_everywhere() -> None:
    assert part_from_plain("subsample", {"method": "drop_q", "k": 9}) == DropQ(k=9)
    with pytest.raises(ParameterError, match="DropQ: 'k' must be"):
        part_from_plain("subsample", {"method": "drop_q", "k": 1})
    with pytest.raises(ParameterError, match="Did you mean 'bound'"):
        part_from_plain("cells", {"method": "cell_key", "bounds": 3})


def test_a_part_with_one_method_needs_no_name_of_it() -> None:
    assert part_from_plain("privacy", {"budget": 3.0}).to_plain()["budget"] == 3.0
    with pytest.raises(ParameterError, match=r"'method' of \[cells\] must be one of plain, round, cell_key"):
        part_from_plain("cells", {"bound": 3})


@pytest.mark.parametrize("given", [5, "cell_key", ["cell_key"], None])
def test_a_part_is_a_table(given: object) -> None:
    with pytest.raises(ParameterError, match=r"\[cells\] must be a table with 'method'"):
        part_from_plain("cells", given)


def test_an_unknown_method_is_named_with_a_suggestion() -> None:
    with pytest.raises(ParameterError, match=r"got 'cell_keys'.*Did you mean 'cell_key'"):
        part_from_plain("cells", {"method": "cell_keys"})
    assert part_to_plain("cells", CellKeyNoise())["method"] == "cell_key"
