"""The roster: who takes part, where each one listens, and by which public key one knows them; a small TOML file.

.. code-block:: toml

    [backend]
    address = "127.0.0.1:7700"
    key = "5c1b..."                    # 64 hexadecimal digits

    [[peer]]
    name = "ada"
    address = "127.0.0.1:7701"
    key = "9f02..."

Everybody has the same roster. There is nothing secret in it, but who can change it decides whom everybody trusts.
"""

from __future__ import annotations

import ipaddress
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tacita.core.errors import FileError, ParameterError, did_you_mean, reason_of
from tacita.core.metadata import MetadataLimits, parse_toml, read_text
from tacita.games.peers.keys import public_key_of

__all__ = ["BACKEND", "MOST_PEERS", "Roster", "RosterEntry", "roster_entry"]

BACKEND = "backend"
"""The name of the database; no peer may have it."""
MOST_PEERS = 10_000
_LIMITS = MetadataLimits(size=8 << 20, keys=10 * MOST_PEERS, depth=4)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_ADDRESS = re.compile(r"(?:\[(?P<six>[0-9A-Fa-f:.]+)\]|(?P<host>[A-Za-z0-9.-]{1,253})):(?P<port>\d{1,5})")


@dataclass(frozen=True)
class RosterEntry:
    """One of those who take part.

    Parameters
    ----------
    name
        Letters, digits, ``_``, ``.`` and ``-``.
    host, port
        Where it listens.
    key
        Its public key, 32 bytes.
    """

    name: str
    host: str
    port: int
    key: bytes

    @property
    def address(self) -> str:
        """Host and port as they are written."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def is_on_this_machine(self) -> bool:
        """Whether the address is one that no other machine can reach."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False  # a name may stand for any machine


@dataclass(frozen=True)
class Roster:
    """The back end and the peers.

    Raises
    ------
    ParameterError
        When two have one name, one address or one key, when there is no peer, or too many.
    """

    backend: RosterEntry
    peers: tuple[RosterEntry, ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.peers) <= MOST_PEERS:
            raise ParameterError(f"A roster must have 1 to {MOST_PEERS:,} peers, got {len(self.peers)}.")
        for what in ("name", "address", "key"):
            seen = [getattr(entry, what) for entry in (self.backend, *self.peers)]
            if len(set(seen)) < len(seen):
                first = {value: number for number, value in reversed(list(enumerate(seen)))}
                second = next(e.name for i, e in enumerate((self.backend, *self.peers)) if first[seen[i]] < i)
                raise ParameterError(
                    f"A roster: '{second}' has the {what} of another one; everybody needs an own {what}."
                )

    @cached_property
    def _by_name(self) -> Mapping[str, RosterEntry]:
        return {entry.name: entry for entry in (self.backend, *self.peers)}

    def __getitem__(self, name: str) -> RosterEntry:
        if name not in self._by_name:
            raise ParameterError(f"There is no '{name}' in the roster.{did_you_mean(name, self._by_name)}")
        return self._by_name[name]

    def check_local(self) -> None:
        """Raise unless everybody is on this machine.

        Raises
        ------
        ParameterError
            When an address can be reached from elsewhere, or may be.
        """
        for entry in (self.backend, *self.peers):
            if not entry.is_on_this_machine:
                raise ParameterError(
                    f"The address of '{entry.name}' must be one of this machine, such as 127.0.0.1:7700. To talk to other "
                    "machines say so: --beyond-this-machine."
                )

    # --- the file ---------------------------------------------------------------------------------------------------------

    @classmethod
    def read(cls, path: str | Path) -> Roster:
        """Read a roster file.

        Raises
        ------
        FileError
            When the file cannot be read or is no TOML.
        ParameterError
            When it does not say a roster; the message names the entry.
        """
        found = parse_toml(read_text(path, "The roster", limits=_LIMITS), "The roster", limits=_LIMITS)
        for name in found:
            if name not in ("backend", "peer"):
                raise ParameterError(
                    f"A roster has 'backend' and 'peer', got something else.{did_you_mean(name, ('backend', 'peer'))}"
                )
        peers = found.get("peer")
        if not isinstance(peers, list):
            raise ParameterError("A roster must have a table [[peer]] for each peer.")
        return cls(
            _entry(found.get("backend"), BACKEND),
            tuple(_entry(peer, f"peer {number}") for number, peer in enumerate(peers, 1)),
        )

    def write(self, path: str | Path, *, overwrite: bool = False) -> Path:
        """Write the roster to a file, whole or not at all.

        Raises
        ------
        FileError
            When there is such a file already and it may not be replaced, or it cannot be written.
        """
        path = Path(path)
        beside = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            with beside.open("x", encoding="utf-8") as file:
                file.write(self.to_toml())
            if overwrite:
                beside.replace(path)
            else:
                os.link(beside, path)  # fails where something is there
        except FileExistsError:
            raise FileError(f"'{path.name}' is there already; choose another name or say --overwrite.") from None
        except (OSError, ValueError) as error:
            raise FileError(f"'{path.name}' cannot be written: {reason_of(error)}.") from None
        finally:
            beside.unlink(missing_ok=True)
        return path

    def to_toml(self) -> str:
        """Return the text of the file."""
        parts = [_table("[backend]", self.backend, named=False)]
        return "\n".join([*parts, *(_table("[[peer]]", peer, named=True) for peer in self.peers)])


def roster_entry(name: str, address: str, key: bytes) -> RosterEntry:
    """Make an entry of the texts that a person writes.

    Raises
    ------
    ParameterError
        When name or address is none.
    """
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ParameterError(
            "A roster: 'name' must be 1 to 64 letters, digits, '_', '.' or '-', and begin with a letter or digit."
        )
    found = _ADDRESS.fullmatch(address) if isinstance(address, str) else None
    port = int(found["port"]) if found else 0
    if found is None or not 1 <= port <= 65535:
        raise ParameterError(f"A roster: the address of '{name}' must read host:port, as 127.0.0.1:7701.")
    return RosterEntry(name, found["six"] or found["host"], port, key)


def _entry(said: Any, where: str) -> RosterEntry:
    wanted: Sequence[str] = ("address", "key") if where == BACKEND else ("name", "address", "key")
    if not isinstance(said, dict) or set(said) != set(wanted):
        raise ParameterError(
            f"A roster: {where} must have {', '.join(repr(name) for name in wanted)}, and nothing else."
        )
    name = BACKEND if where == BACKEND else said["name"]
    if where != BACKEND and name == BACKEND:
        raise ParameterError(f"A roster: {where} must not be called '{BACKEND}'.")
    return roster_entry(name, said["address"], public_key_of(said["key"], f"A roster: {where}"))


def _table(head: str, entry: RosterEntry, *, named: bool) -> str:
    pairs = {"name": entry.name} if named else {}
    pairs |= {"address": entry.address, "key": entry.key.hex()}
    return "\n".join([head, *(f"{name} = {json.dumps(value)}" for name, value in pairs.items()), ""])
