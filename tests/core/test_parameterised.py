"""Everything with parameters: fields that are checked on construction, with a name for the error sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import pytest

from tacita.core.errors import ParameterError
from tacita.core.parameterised import Parameterised
from tacita.core.parameters import Interval


@dataclass(frozen=True, kw_only=True)
class Limits(Parameterised):
    """Limits.

    Parameters
    ----------
    p
        A percentage.
    """

    p: Annotated[float, Interval(0, 100)] = 5.0


@dataclass(frozen=True, kw_only=True)
class Settings(Limits):
    """Settings of a function."""

    owner: ClassVar[str] = "search"
    seconds: float | None = None

    def check(self) -> None:
        if self.seconds == 13:
            raise ParameterError("search: not 13.")


def test_values_are_checked_and_brought_into_form() -> None:
    assert Settings(p=7).p == 7.0
    with pytest.raises(ParameterError, match=r"^Limits: 'p' must be in \[0, 100\], got 120\.$"):
        Limits(p=120)
    with pytest.raises(ParameterError, match="not 13"):
        Settings(seconds=13)


def test_settings_speak_in_the_name_of_their_function() -> None:
    assert Settings.speaker() == "search"
    with pytest.raises(ParameterError, match=r"^search: 'p' must be in"):
        Settings(p=120)
    with pytest.raises(ParameterError, match=r"^search: there is no parameter 'owner'"):
        Settings.from_plain({"owner": "me"})


def test_words_come_from_the_base() -> None:
    assert [(p.name, p.help) for p in Settings.parameters()] == [("p", "A percentage."), ("seconds", "")]
