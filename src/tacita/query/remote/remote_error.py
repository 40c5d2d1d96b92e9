"""The error of a server that cannot be asked, or says something that is no answer."""

from __future__ import annotations

from tacita.core.errors import TacitaError

__all__ = ["RemoteError"]


class RemoteError(TacitaError, OSError):
    """A server was not reached, did not know the token or the data set, or gave something that is no answer.

    The message has nothing that the server said: it might be anything, the token too.
    """
