"""Visitors: who asks, in which role, from where, and what he may see."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import Literal, Self, TypeAlias, get_args

from tacita.core.errors import ParameterError, did_you_mean

__all__ = ["ANONYMOUS", "EVERY", "ROLES", "Role", "Visitor", "address_range", "check_name", "check_role"]

Role: TypeAlias = Literal["public", "researcher", "steward"]
"""What a visitor may do; each role may also do what those before it may."""

ROLES: tuple[Role, ...] = get_args(Role)
ANONYMOUS = "anonymous:"
"""How the user of a visitor without a token begins; no token has such a user."""
EVERY = "*"
"""Stands for all data sets."""

_LONGEST = 200
_IPV4_BITS, _IPV6_BITS = 24, 56


@dataclass(frozen=True)
class Visitor:
    """Who asks.

    Parameters
    ----------
    user
        Name of the user; ``anonymous:`` and the range of the address for somebody without a token.
    role
        ``public``, ``researcher`` or ``steward``.
    organisation
        Where the user belongs to; empty where that is nowhere.
    datasets
        Names of the data sets that the visitor may see; ``*`` for all.
    address
        Where the request came from, as far as the server knows.
    token
        Number of the token; empty without one.

    Examples
    --------
    >>> ann = Visitor("ann", "researcher", "institute", ("survey",), "192.0.2.77")
    >>> ann.may("public"), ann.may("steward"), ann.may_see("survey"), ann.may_see("register")
    (True, False, True, False)
    >>> Visitor.anonymous("192.0.2.77").user
    'anonymous:192.0.2.0/24'
    """

    user: str
    role: Role
    organisation: str = ""
    datasets: tuple[str, ...] = (EVERY,)
    address: str = ""
    token: str = ""

    @classmethod
    def anonymous(cls, address: str) -> Self:
        """Return a visitor without a token.

        Notes
        -----
        The accounts bound no data set for him: which ones take the role ``public`` is for the settings of the server.
        """
        return cls(ANONYMOUS + address_range(address), "public", address=address)

    @property
    def is_anonymous(self) -> bool:
        """Whether he has no token."""
        return self.user.startswith(ANONYMOUS)

    def may(self, role: Role) -> bool:
        """Whether he may do what a role may do.

        Raises
        ------
        ParameterError
            When there is no such role.
        """
        return ROLES.index(self.role) >= ROLES.index(check_role(role))

    def may_see(self, dataset: str) -> bool:
        """Whether the data set is one of his."""
        return EVERY in self.datasets or dataset in self.datasets


def address_range(address: str) -> str:
    """Return the range that an address belongs to: /24 of IPv4, /56 of IPv6, which one household or office has.

    Parameters
    ----------
    address
        An address; an IPv4 address within IPv6 counts as the former.

    Returns
    -------
    str
        The range, or ``unknown`` for a text that is no address.

    Examples
    --------
    >>> address_range("192.0.2.77"), address_range("::ffff:192.0.2.77")
    ('192.0.2.0/24', '192.0.2.0/24')
    >>> address_range("2001:db8:1:2ff::1"), address_range("nobody")
    ('2001:db8:1:200::/56', 'unknown')
    """
    if len(address) > _LONGEST:
        return "unknown"
    try:
        found = ipaddress.ip_address(address.strip().partition("%")[0])
    except ValueError:
        return "unknown"
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    bits = _IPV4_BITS if found.version == 4 else _IPV6_BITS
    return str(ipaddress.ip_network((found, bits), strict=False))


def check_role(role: str) -> Role:
    """Return a role, or raise when there is none of that name.

    Raises
    ------
    ParameterError
        When there is none.
    """
    for known in ROLES:
        if role == known:
            return known
    raise ParameterError(f"'role' must be one of {', '.join(ROLES)}, got {role!r}.{did_you_mean(str(role), ROLES)}")


def check_name(text: str, name: str, *, may_be_empty: bool = False) -> str:
    """Return the name of a user, an organisation or a data set, or raise when it cannot be one.

    Parameters
    ----------
    text
        What was given.
    name
        Name of the parameter.
    may_be_empty
        Whether there may be none.

    Raises
    ------
    ParameterError
        When it is no text of printable characters, is too long, or begins or ends with a blank.
    """
    is_fit = isinstance(text, str) and len(text) <= _LONGEST and text.isprintable() and text == text.strip()
    if not is_fit or not (text or may_be_empty):
        raise ParameterError(
            f"'{name}' must be a text of 1 to {_LONGEST} printable characters, without blanks at its ends."
        )
    return text
