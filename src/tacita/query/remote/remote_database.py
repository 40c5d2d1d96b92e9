"""A database on a server: asked as one that is open here, and it answers with the same classes."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from typing import Any, NoReturn
from urllib.parse import quote

from tacita.core.errors import ParameterError, TacitaError, did_you_mean
from tacita.core.progress import task
from tacita.query.answer import Answer
from tacita.query.catalogue.catalogue import Catalogue
from tacita.query.plain_form import PlainForm
from tacita.query.remote.address import ServerAddress, checked_token
from tacita.query.remote.patience import LONGEST_PAUSE, MOST_PAUSES, Patience
from tacita.query.remote.remote_dataset import RemoteDataset, is_dataset_name
from tacita.query.remote.remote_error import RemoteError
from tacita.query.remote.wire import ServerReply, Wire
from tacita.query.requests.request import QueryRequest, request_from_plain

__all__ = ["RemoteDatabase", "connect"]

_REFUSED = (400, 403, 413, 422, 429)
"""Status codes of a refusal in the shape of an answer."""
_STATUS = {"answered": (200,), "review": (200, 202), "refused": _REFUSED}
_JOB = re.compile(r"/jobs/[A-Za-z0-9_-]{1,100}")
_ID = re.compile(r"[A-Za-z0-9_-]{1,100}")
_LONGEST_JOB = 3600.0


class RemoteDatabase:
    """A data set on a server, which answers statistical questions under its policy.

    Made by :func:`connect`. Several threads may ask; each has a connection of its own. ``with`` closes them.

    Parameters
    ----------
    wire
        The way to the server.
    dataset
        Name of the data set; None where several are offered and none was chosen.
    sleep
        Waits so many seconds.
    """

    def __init__(self, wire: Wire, dataset: str | None, *, sleep: Callable[[float], None] = time.sleep) -> None:
        self.dataset = dataset
        self._wire, self._sleep = wire, sleep
        self._catalogue: Catalogue | None = None

    def __repr__(self) -> str:
        which = "no data set chosen" if self.dataset is None else repr(self.dataset)
        return f"RemoteDatabase: {which} at {self._wire.address}"

    def __enter__(self) -> RemoteDatabase:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._wire.close()

    # --- what there is ---------------------------------------------------------------------------------------------------

    def datasets(self) -> tuple[RemoteDataset, ...]:
        """Return the data sets that the server offers to this token."""
        reply = self._patiently(lambda: self._wire.get("/datasets"))
        if reply.status != 200:
            self._fail(reply)
        with _Said(self._wire):
            rows = PlainForm.of("The data sets", reply.body, ("datasets",), reply.body or ()).listed("datasets")
            return tuple(map(RemoteDataset.from_plain, rows))

    @property
    def catalogue(self) -> Catalogue:
        """What is published about the data; fetched once."""
        if self._catalogue is None:
            reply = self._patiently(lambda: self._wire.get(self._path()))
            if reply.status != 200:
                self._fail(reply)
            with _Said(self._wire):
                form = PlainForm.of("A data set", reply.body, ("variables",), reply.body or ())
                self._catalogue = Catalogue.from_plain({"variables": form.listed("variables")})
        return self._catalogue

    # --- asking ----------------------------------------------------------------------------------------------------------

    def ask(self, request: QueryRequest | Mapping[str, Any] | str | bytes, *, user: str = "") -> Answer:
        """Ask the server; it answers, refuses, or leaves the question to a person.

        Parameters
        ----------
        request
            A request, or its JSON form.
        user
            Not used, and there so that a database elsewhere is asked like one here: who asks is who has the token.

        Returns
        -------
        Answer
            What the server answered. A budget that is spent is a refusal too. A large table that the server computes later is
            waited for, with its progress.

        Raises
        ------
        RemoteError
            When the server is not reached in time, does not know the token or the data set, is not available for longer than
            it is waited for, or gives something that is no answer to the question.
        """
        del user  # the server knows who asks, and nobody can say to be somebody else
        try:
            asked = request if isinstance(request, QueryRequest) else request_from_plain(request)
        except TacitaError as error:
            return Answer(status="refused", reasons=("request_form",), hint=str(error))
        path = f"{self._path()}/{asked.kind}"
        text = asked.to_json()
        reply = self._finished(self._patiently(lambda: self._wire.post(path, text)))
        answer = self._answer(reply)
        if answer.status == "answered" and answer.request.get("kind") != asked.kind:
            raise RemoteError(
                f"The server at {self._wire.address} must answer what was asked, but answers something else."
            )
        return answer

    def answer(self, id: str) -> Answer | None:
        """Give an answer again, by its id; None where the server has none of that id that this token may see.

        Parameters
        ----------
        id
            ``Answer.id`` of an answer, or of a question that waited for a person.

        Raises
        ------
        ParameterError
            When it can be no id.
        RemoteError
            As :meth:`ask`.
        """
        if not isinstance(id, str) or not _ID.fullmatch(id):
            raise ParameterError("'id' must be the id of an answer: letters, digits, _ and -.")
        reply = self._patiently(lambda: self._wire.get(f"/answers/{id}"))
        return None if reply.status == 404 else self._answer(self._finished(reply))

    # --- replies ---------------------------------------------------------------------------------------------------------

    def _path(self) -> str:
        if self.dataset is None:
            raise ParameterError("A data set must be chosen: connect with dataset='...'; datasets() lists the names.")
        return f"/datasets/{quote(self.dataset, safe='')}"

    def _patiently(self, exchange: Callable[[], ServerReply]) -> ServerReply:
        """Exchange until the server is available, as long as that is bearable; each attempt may cost the budget a question."""
        patience = Patience(LONGEST_PAUSE, self._sleep, pauses=MOST_PAUSES)
        while (reply := exchange()).status == 503:
            if not patience.pause(reply.retry_after):
                raise RemoteError(
                    f"The server at {self._wire.address} must be available within {LONGEST_PAUSE:g} seconds and "
                    f"{MOST_PAUSES + 1} attempts, but is not. Ask again later."
                )
        return reply

    def _finished(self, reply: ServerReply) -> ServerReply:
        """Wait for a table that the server computes later."""
        if not _is_waiting(reply):
            return reply
        location = str(reply.body.get("location", "")).removeprefix(self._wire.address.path)
        if not _JOB.fullmatch(location):
            raise RemoteError(
                f"The server at {self._wire.address} must say where a table will be, but says something else."
            )
        patience, done = Patience(_LONGEST_JOB, self._sleep), 0.0
        with task("Waiting for the table", 1.0) as running:
            while _is_waiting(reply):
                if not patience.pause(reply.retry_after):
                    raise RemoteError(
                        f"The server at {self._wire.address} must finish a table within {_LONGEST_JOB:g} seconds, but did not. "
                        "Ask the same question again later: what was computed is kept."
                    )
                reply = self._patiently(lambda: self._wire.get(location))
                progress = _progress(reply)
                running.advance(max(progress - done, 0.0))
                done = max(progress, done)
        return reply

    def _answer(self, reply: ServerReply) -> Answer:
        """The answer in a reply, where its status code and its words say the same."""
        is_told = reply.status in (200, 202) or (reply.status in _REFUSED and not _is_about_scope(reply))
        if not is_told or not isinstance(reply.body, Mapping):
            self._fail(reply)
        with _Said(self._wire):
            made = Answer.from_plain(reply.body)
        if reply.status not in _STATUS[made.status]:
            raise RemoteError(
                f"The server at {self._wire.address} must mean what it says, but its status code does not fit."
            )
        return made

    def _fail(self, reply: ServerReply) -> NoReturn:
        """Say why there is no answer; in words of our own, since those of the server may be anything."""
        where = f"The server at {self._wire.address}"
        if reply.status == 401:
            raise RemoteError(
                f"{where} must know the token, but does not, or it has run out. Ask its steward for a new one."
            )
        if reply.status == 403:
            which = "the list of data sets" if self.dataset is None else f"'{self.dataset}'"
            raise RemoteError(f"{where} does not open {which} to this token. Ask its steward for a token that has it.")
        if reply.status == 404 and self.dataset is not None:
            raise RemoteError(
                f"{where} has no data set '{self.dataset}', or does not answer requests of this kind; datasets() lists what "
                "there is."
            )
        if reply.status == 429:
            raise RemoteError(f"{where} was asked too often; ask again later.")
        raise RemoteError(
            f"{where} must answer with what this package understands, but does not (status {reply.status}). Check the address, "
            "and that the server is one of this package."
        )


def connect(
    url: str, token: str | None = None, *, dataset: str | None = None, timeout: float = 60, allow_plain: bool = False
) -> RemoteDatabase:
    """Connect to a server that answers statistical questions.

    Parameters
    ----------
    url
        Its address, ``https://stat.example/api``.
    token
        Who asks, as the server's steward gave it; it goes to this server only and is never shown.
    dataset
        Name of the data set; it may be left out where the server offers one.
    timeout
        Seconds that a reply may take. Tables that the server computes later are waited for up to an hour.
    allow_plain
        Whether ``http://`` may go to another machine than this one, where everybody on the way can read along.

    Returns
    -------
    RemoteDatabase
        Asked like a :class:`~tacita.query.Database`.

    Raises
    ------
    ParameterError
        When address, token, data set or timeout cannot be used.
    RemoteError
        When the server is not reached, or does not know the token or the data set.

    Notes
    -----
    Only the standard library speaks here: TLS is verified with the certificates that the machine trusts (``SSL_CERT_FILE`` adds
    those of an own authority), redirections are refused, proxies are not used, and a reply is read within limits of time,
    size and form, for a server may have been taken over by somebody.
    """
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or not 0 < timeout <= 86_400:
        raise ParameterError("'timeout' must be a number of seconds above 0, a day at most.")
    if dataset is not None and not is_dataset_name(dataset):
        raise ParameterError("'dataset' must be the name of a data set.")
    wire = Wire(ServerAddress.of(url, allow_plain=allow_plain), checked_token(token), float(timeout))
    names = [found.name for found in RemoteDatabase(wire, None).datasets()]
    if dataset is not None and dataset not in names:
        raise RemoteError(f"The server at {wire.address} has no data set '{dataset}'.{did_you_mean(dataset, names)}")
    return RemoteDatabase(wire, names[0] if dataset is None and len(names) == 1 else dataset)


class _Said:
    """What a server said is read here: whatever is wrong with it is one kind of error."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        if isinstance(error, RemoteError) or error is None:
            return
        where = f"The server at {self._wire.address} must answer with what this package understands, but does not"
        if isinstance(error, TacitaError):
            raise RemoteError(f"{where}.", details={"reason": str(error)}) from None
        if isinstance(error, (TypeError, ValueError, LookupError, AttributeError, ArithmeticError, RecursionError)):
            raise RemoteError(f"{where}.") from None


def _is_waiting(reply: ServerReply) -> bool:
    is_job = isinstance(reply.body, Mapping) and reply.body.get("status") in ("queued", "running")
    return reply.status in (200, 202) and is_job


def _is_about_scope(reply: ServerReply) -> bool:
    """Whether a refusal is about the token and not about the question."""
    reasons = reply.body.get("reasons") if isinstance(reply.body, Mapping) else None
    return reply.status == 403 and (reply.lacks_scope or reasons == ["scope"])


def _progress(reply: ServerReply) -> float:
    """How much of a table is done, between 0 and 1; all of it where the server is no more waiting."""
    if not _is_waiting(reply):
        return 1.0
    found = reply.body.get("progress", 0.0)
    return min(max(float(found), 0.0), 1.0) if type(found) in (int, float) else 0.0
