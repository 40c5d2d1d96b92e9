"""A queryable database elsewhere: the same questions, over HTTP.

In come an address and requests; out come the answers of a server, of the same classes as those that are computed here. Read
``remote_database.py`` first.
"""

from tacita.query.remote.remote_database import RemoteDatabase, connect
from tacita.query.remote.remote_dataset import RemoteDataset
from tacita.query.remote.remote_error import RemoteError

__all__ = ["RemoteDatabase", "RemoteDataset", "RemoteError", "connect"]
