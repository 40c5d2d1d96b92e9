"""What a server needs beside the package: said in words where it is missing."""

from __future__ import annotations

from tacita.core.errors import FileError

__all__ = ["check_server_parts"]


def check_server_parts() -> None:
    """Raise an error that says what to install where the parts of the server are missing.

    Raises
    ------
    FileError
        When they are.
    """
    try:
        import fastapi  # noqa: F401
        import jinja2  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise FileError(
            f"The server needs '{error.name}', which is not installed: pip install 'tacita[server]'."
        ) from None
