"""Hub and keepers over HTTP, without a network: what comes in goes to them, the rest is refused."""

from __future__ import annotations

import io
import json
from typing import Any
from urllib.parse import urlsplit

import pytest

from lastro.connectors.faults import Unanswered
from lastro.connectors.hub import HomeLine, HttpWire
from lastro.connectors.transport import Answer, Request
from lastro.hub.closing import Closing
from lastro.hub.hub import HubRefuses
from lastro.hub.match import Fit
from lastro.hub.member import NoWord
from lastro.hub.people import Roster
from lastro.web.hub_door import ClosesInTime, Door, Limits
from tests.hub.worlds import World, statement


class Inside:
    """A line that calls the doors by the host's name, as a server would."""

    def __init__(self, doors: dict[str, Any]) -> None:
        self.doors, self.told = doors, list[tuple[str, dict[str, str]]]()

    def send(self, request: Request) -> Answer:
        parts = urlsplit(request.url)
        door = self.doors.get(parts.hostname or "")
        if door is None:
            raise Unanswered("sem resposta", again=True)
        environ = {
            "REQUEST_METHOD": request.method, "PATH_INFO": parts.path, "QUERY_STRING": parts.query,
            "CONTENT_LENGTH": str(len(request.body)), "wsgi.input": io.BytesIO(request.body),
            "REMOTE_ADDR": "192.0.2.7",
        }  # fmt: skip
        heads: list[tuple[str, list[tuple[str, str]]]] = []
        body = b"".join(door(environ, lambda status, headers: heads.append((status, headers))))
        status, headers = heads[0]
        self.told.append((status, dict(headers)))
        return Answer(int(status[:3]), body)


def _doors(world: World, **limits: Any) -> Inside:
    doors: dict[str, Any] = {
        name: Door(world.roster, today=lambda: world.day, keeper=keeper)
        for name, keeper in world.keepers.items()
    }
    hub = Door(
        world.roster, today=lambda: world.day, hub=world.hub, limits=Limits(**limits) if limits else None
    )
    return Inside({"hub": hub, **doors})


def _wire(world: World, line: Inside) -> HttpWire:
    return HttpWire(line, hub="https://hub/", keepers={name: f"https://{name}" for name in world.keepers})


def test_a_day_over_http_is_a_day() -> None:
    world = World(members=2, size=8, pace=1)
    wire = _wire(world, _doors(world))
    world.days({e: [statement(1, e, asks=600)] for e in world.entities}, wire=wire)
    for member in world.members:
        (judged,) = world.judged(member).values()
        assert judged.fit is Fit.EXCEEDS


def test_who_does_not_answer_is_asked_again_another_day() -> None:
    world = World(members=2, size=8, pace=1)
    line = _doors(world)
    hub = line.doors.pop("hub")
    member, said = world.members[0], [statement(1, world.entities[0])]
    done = member.work(_wire(world, line), said, day=world.day)
    assert (done.made, done.sent, done.waits) == (1, 0, ["sem resposta"])
    line.doors["hub"] = hub
    assert member.work(_wire(world, line), said, day=world.day).sent == 1
    assert HttpWire(line, hub="https://hub", keepers={})  # its keepers are not known
    with pytest.raises(NoWord, match="endereço do guardião"):
        HttpWire(line, hub="https://hub", keepers={}).vouch("orgao", {})


def _ask(line: Inside, method: str, path: str, body: bytes = b"") -> tuple[int, Any]:
    answer = line.send(Request(method, f"https://hub{path}", body))
    return answer.status, json.loads(answer.body)


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/", b"", 404),
        ("GET", "/v1/batches", b"", 405),
        ("POST", "/v1/roster", b"{}", 405),
        ("POST", "/v1/points", b"{}", 404),
        ("POST", "/v1/batches", b"", 413),
        ("POST", "/v1/batches", b"{}", 400),
        ("POST", "/v1/batches", b"[]", 400),
        ("POST", "/v1/batches", b"not json", 400),
        ("POST", "/v1/batches", b'{"header": [], "entries": 3}', 400),
        ("POST", "/v1/answers", b'{"batch": "x", "earlier": 0, "signature": ""}', 404),
        ("GET", "/v1/closing", b"", 409),
        ("GET", "/v1/consistency?from=x", b"", 400),
    ],
)
def test_what_is_not_understood_is_refused_with_a_reason(
    method: str, path: str, body: bytes, status: int
) -> None:
    world = World()
    got, told = _ask(_doors(world), method, path, body)
    assert got == status
    assert told["error"]["message"]


def test_roster_and_closings_are_for_everybody() -> None:
    world = World()
    line = _doors(world)
    _, told = _ask(line, "GET", "/v1/roster")
    assert Roster.of_json(told["roster"]) == world.roster
    assert told["digest"] == world.roster.digest
    world.hub.close(day=world.day)
    _, told = _ask(line, "GET", "/v1/closing")
    assert Closing.of_note(told["closing"]).good(world.roster.hub)
    assert _ask(line, "GET", "/v1/consistency?from=0") == (200, {"consistency": []})
    assert _ask(line, "GET", "/v1/consistency?from=1")[0] == 422


def test_an_address_that_asks_too_much_waits_a_minute() -> None:
    world = World()
    now = [0.0]
    line = _doors(world, a_minute=3, monotonic=lambda: now[0])
    assert [_ask(line, "GET", "/v1/roster")[0] for _ in range(4)] == [200, 200, 200, 429]
    assert line.told[-1][1]["Retry-After"] == "3600"
    now[0] = 60.0
    assert _ask(line, "GET", "/v1/roster")[0] == 200


def test_a_failure_inside_says_nothing_of_it() -> None:
    world = World()
    line = Inside({"hub": Door(world.roster, today=lambda: 1 / 0, hub=world.hub)})  # type: ignore[arg-type, return-value]
    status, told = _ask(line, "POST", "/v1/answers", b'{"batch": "x", "earlier": 0, "signature": ""}')
    assert status == 500
    assert "division" not in told["error"]["message"]


def test_a_hub_closes_in_time() -> None:
    world = World()
    now = [0.0]
    door = Door(world.roster, today=lambda: world.day, hub=world.hub)
    line = Inside(
        {"hub": ClosesInTime(door, world.hub, every=3600, today=lambda: world.day, monotonic=lambda: now[0])}
    )
    assert _ask(line, "GET", "/v1/closing")[0] == 200
    world.shelf.add_leaf(b"a leaf")
    for moment, size in ((3599.0, 0), (3600.0, 1)):
        now[0] = moment
        _, told = _ask(line, "GET", "/v1/closing")
        assert Closing.of_note(told["closing"]).size == size


def test_plain_http_goes_nowhere_but_home() -> None:
    line = HomeLine(Inside({}))
    with pytest.raises(Unanswered, match="https"):
        line.send(Request("POST", "http://hub.example/v1/batches", b"{}"))
    with pytest.raises(Unanswered, match="sem resposta"):
        line.send(Request("POST", "https://hub.example/v1/batches", b"{}"))


def test_refusals_and_nonsense_over_http() -> None:
    class Says:
        def __init__(self, status: int, body: bytes) -> None:
            self.answer = Answer(status, body)

        def send(self, request: Request) -> Answer:
            return self.answer

    def wire(status: int, body: bytes) -> HttpWire:
        return HttpWire(Says(status, body), hub="https://hub", keepers={})

    with pytest.raises(HubRefuses, match="amanhã") as no:
        wire(429, '{"error": {"message": "amanhã"}}'.encode()).take({})
    assert no.value.status == 429
    for status, body in ((502, b"{}"), (200, b"<html>"), (200, b"[]"), (500, b"x")):
        with pytest.raises(NoWord):
            wire(status, body).take({})
