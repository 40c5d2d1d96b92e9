"""Content that is to be forgotten: fingerprinted copies with expiry dates, handed on by those who received them.

In come content, receivers and what forwarding and leaking are worth to them; out come copies whose marks their forwarders never
see, whoever leaked or kept a copy past its date, and when honest forwarding is an equilibrium. Read ``forwarding_game.py`` first,
then ``multicast.py``; the protocol stands in ``pseudonyms.py``, ``oblivious_transfer.py``, ``marked_copy.py`` and ``offices.py``.
"""

from tacita.games.oblivion.content import NumberContent, TextContent
from tacita.games.oblivion.forwarding_game import (
    Forwarding,
    ForwardingGame,
    forwarding_coprivacy,
    forwarding_game,
    honest_is_equilibrium,
    needed_penalty,
)
from tacita.games.oblivion.multicast import Multicast, MulticastRound, play_multicast
from tacita.games.oblivion.protocol_run import ProtocolRun, date_of_copy, run_protocol
from tacita.games.oblivion.tracing_rates import TracingRate, tracing_rate

__all__ = [
    "Forwarding",
    "ForwardingGame",
    "Multicast",
    "MulticastRound",
    "NumberContent",
    "ProtocolRun",
    "TextContent",
    "TracingRate",
    "date_of_copy",
    "forwarding_coprivacy",
    "forwarding_game",
    "honest_is_equilibrium",
    "needed_penalty",
    "play_multicast",
    "run_protocol",
    "tracing_rate",
]
