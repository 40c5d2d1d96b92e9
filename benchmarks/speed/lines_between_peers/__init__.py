"""Lines between peers: what keys, padding and encryption cost beside a plain socket, and queries through a group in one process.

``plain_s`` is the same questions and answers over a socket without any of it; ``ratio`` is how many times longer ours take. Read
``lines.py``.
"""

from benchmarks.speed.lines_between_peers.lines import run

__all__ = ["run"]
