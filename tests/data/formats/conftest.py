"""What tests of file formats share."""

from __future__ import annotations

import pytest

from tacita.data.read import read


@pytest.fixture
def csv(tmp_path):
    """Write text or bytes to a CSV file and read it."""

    def read_text(content, schema=None, name="data.csv", **options):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        if schema is not None and not hasattr(schema, "columns"):
            (tmp_path / "schema.toml").write_text(schema)
            schema = tmp_path / "schema.toml"
        return read(path, schema=schema, **options)

    return read_text
