"""What tests of queries share: the PostgreSQL server."""

from __future__ import annotations

from tests.postgres import postgres_server

__all__ = ["postgres_server"]
