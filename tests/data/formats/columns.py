"""A column of a file that was read: its values and its type."""

from __future__ import annotations

__all__ = ["column", "kind"]


def column(data, name):
    return data.to_arrow(codes=False).column(name).to_pylist()


def kind(data, name):
    return data.to_arrow(codes=False).column(name).type
