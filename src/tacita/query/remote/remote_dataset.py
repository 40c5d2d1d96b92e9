"""What a server says about a data set that it offers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tacita.query.plain_form import PlainForm

__all__ = ["RemoteDataset", "is_dataset_name"]

_LONGEST_NAME = 200


@dataclass(frozen=True)
class RemoteDataset:
    """A data set that a server offers.

    Parameters
    ----------
    name
        What it is asked by.
    title
        A few words on what it is.
    version
        Of the data.
    requests
        The kinds of requests that are answered.
    records
        Number of records, where that is published.
    """

    name: str
    title: str = ""
    version: str = ""
    requests: tuple[str, ...] = ()
    records: int | None = None

    @classmethod
    def from_plain(cls, given: Any) -> RemoteDataset:
        """Read what a server says; what else it says is passed over.

        Raises
        ------
        ParameterError
            When it is no data set.
        """
        form = PlainForm.of("A data set", given, ("name",), given if isinstance(given, Mapping) else ())
        name = form.said("name")
        if not is_dataset_name(name):
            form.misfit("name", "a name of a data set")
        title, version = (form.said(w) if form.parts.get(w) is not None else "" for w in ("title", "version"))
        requests = form.sayings("requests") if "requests" in form else ()
        records = form.whole_or_none("records") if "records" in form else None
        return cls(name, title, version, requests, records)


def is_dataset_name(name: object) -> bool:
    """Whether it can be the name of a data set: a short text that can be printed, and is no step of a path."""
    return isinstance(name, str) and 0 < len(name) <= _LONGEST_NAME and name.isprintable() and name not in (".", "..")
