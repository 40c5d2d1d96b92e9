"""Identifiers by the rules of SDMX, made of names and classes of any alphabet."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence

from tacita.query.catalogue.variable import MISSING

__all__ = ["UNKNOWN", "class_ids", "component_ids", "sdmx_version"]

UNKNOWN = "_U"
"""The code that SDMX has for what is not known: the class of the records without a value."""

_NUMBER = r"(0|[1-9][0-9]*)"
_VERSION = re.compile(rf"{_NUMBER}\.{_NUMBER}(\.{_NUMBER}(-[0-9A-Za-z]+([.-][0-9A-Za-z]+)*)?)?")


def component_ids(names: Sequence[str], taken: Collection[str] = ()) -> list[str]:
    """Return an id for each variable: a letter, then letters, digits and underscores, in capitals.

    Parameters
    ----------
    names
        Names of variables.
    taken
        Ids that stand for something else.

    Returns
    -------
    list
        One id for each name, all different, also from those that are taken.

    Examples
    --------
    >>> component_ids(["sex", "Größe", "2nd job", "年齢", "obs value"], taken=["OBS_VALUE"])
    ['SEX', 'GROSSE', 'V_2ND_JOB', 'V4', 'OBS_VALUE_2']
    """
    words = [_letters(name).upper() for name in names]
    made = [word if word[:1].isalpha() else f"V_{word}" if word else f"V{i}" for i, word in enumerate(words, 1)]
    return _each_once(made, taken)


def class_ids(classes: Sequence[str]) -> list[str]:
    """Return an id for each class of a variable: letters, digits and underscores.

    Parameters
    ----------
    classes
        All classes of the variable, in the order of the catalogue: so the ids are the same in every table of a data version.

    Returns
    -------
    list
        One id for each class, all different; ``_U`` for the records without a value.

    Examples
    --------
    >>> class_ids(["f", "up to 28000", "-1", "1", "北", "(missing)"])
    ['f', 'up_to_28000', '1', '1_2', 'C5', '_U']
    """
    words = ["" if word == MISSING else _letters(word) or f"C{i}" for i, word in enumerate(classes, 1)]
    return [word or UNKNOWN for word in _each_once(words, ())]


def sdmx_version(version: str) -> str:
    """Return a version as SDMX writes it; any other text becomes the extension of 1.0.0, and an empty one 1.0.0.

    Examples
    --------
    >>> sdmx_version("2.1"), sdmx_version("2.1.0"), sdmx_version("7f3a 09"), sdmx_version("")
    ('2.1', '2.1.0', '1.0.0-7f3a-09', '1.0.0')
    """
    if _VERSION.fullmatch(version):
        return version
    words = _letters(version).replace("_", "-")
    if words.isdigit() and words.startswith("0"):  # no number of a version has zeros in front
        words = f"v{words}"
    return f"1.0.0-{words}" if words else "1.0.0"


def _letters(text: str) -> str:
    """A text in plain letters: accents go, everything else that is no letter or digit becomes one underscore."""
    plain = unicodedata.normalize("NFKD", text.replace("ß", "ss"))
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return re.sub(r"[^0-9A-Za-z]+", "_", plain).strip("_")[:100]


def _each_once(words: Sequence[str], taken: Collection[str]) -> list[str]:
    """Number the words that were met before; empty ones stay."""
    met, numbers, made = set(taken), dict.fromkeys(words, 1), []
    for word in words:
        chosen = word
        while word and chosen in met:
            numbers[word] += 1
            chosen = f"{word}_{numbers[word]}"
        met.add(chosen)
        made.append(chosen)
    return made
