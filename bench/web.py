"""W1: two hundred people at the pages at once, beside a bare Django page; and three uploads at once.

The application is served as anybody serves it (`lastro serve`, one process with a worker beside it), over the
sample world after its walk. Each visitor opens the pages of a role's menu, one after another, with a pause
between two as people make it. A bare Django page is served by the same server program and visited the same
way first, so that what the machine and the visitors themselves cost stands beside.
"""

from __future__ import annotations

import hashlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from datetime import date
from http.client import HTTPConnection, HTTPException
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import uuid4

from bench import corpus
from bench.figures import table
from lastro import demo
from lastro.custody.port import For
from lastro.sample import build_world
from lastro.stores.postgres import Store
from lastro.stores.postgres.custody import custody

_BARE = """
import sys
import waitress
from django.conf import settings
settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], SECRET_KEY="x", TEMPLATES=[
    {"BACKEND": "django.template.backends.django.DjangoTemplates"}])
import django
from django.core.wsgi import get_wsgi_application
from django.http import HttpResponse
from django.template import engines
from django.urls import path
django.setup()
PAGE = engines["django"].from_string("<!doctype html><title>{{ title }}</title><p>{{ title }}</p>")
urlpatterns = [path("", lambda request: HttpResponse(PAGE.render({"title": "nada"}, request)))]
server = waitress.create_server(get_wsgi_application(), host="127.0.0.1", port=0, threads=8,
                                connection_limit=1000, asyncore_use_poll=True)
print(server.effective_port, flush=True)
server.run()
"""


PAUSE = 4
"""Seconds between two pages of a visitor, from half to one and a half of them."""


@dataclass
class Visits:
    """What the visitors met: seconds by page, and what went wrong."""

    seconds: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    wrong: list[str] = field(default_factory=list)

    def p95(self, page: str) -> float:
        """Seconds that 95 of 100 visits stayed within."""
        found = sorted(self.seconds[page])
        return found[min(len(found) - 1, len(found) * 95 // 100)]


def run(*, users: int, rounds: int, notes: int) -> None:
    """Print both measures. Fails on any error, and on any note that is lost."""
    with tempfile.TemporaryDirectory(prefix="lastro-bench-") as folder:
        world, data = Path(folder) / "mundo", Path(folder) / "dados"
        cookies, entities = _prepared(world, data)
        with _served([sys.executable, "-c", _BARE], r"^(\d+)") as port:
            bare = _visit({"": ["/"]}, {"": ""}, port=port, users=users, rounds=rounds)
        served = ["-c", "from lastro.cli import main; main()", "--data", str(data), "serve", "--port", "0"]
        with _served([sys.executable, *served], r"http://[^:]+:(\d+)/") as port:
            menus = {role: found for role, cookie in cookies.items() if (found := _menu(port, cookie))}
            met = _visit(menus, cookies, port=port, users=users, rounds=rounds)
            _show(bare, met, users)
            _hand_in(port, data, cookies, entities, notes)
    assert not met.wrong, met.wrong[:5]


def _prepared(world: Path, data: Path) -> tuple[dict[str, str], list[str]]:
    """The sample world after its walk, with the session of a guest of each role; and its three entities."""
    from lastro.web import guests, office
    from lastro.web.settings import Site

    print("W1: prepara o mundo de demonstração…", flush=True)
    build_world(world, seed=demo.SEED, notes=demo.NOTES)
    walk = demo.Walk(world, data)
    site = Site(data, today=date.fromisoformat(demo.TODAY), demo=True)
    with redirect_stdout(StringIO()), office.opened(site) as store:
        walk.set_up()
        walk.enter()
        walk.use()
        for root in sorted(corpus.corpus(20_000).trust.glob("*.pem")):
            walk.verb("trust", "add", str(root), "--kind", "test", quiet=True)
        people = walk.guests(store)
        guests.invite([*people, *_third(walk.entities)])
        return {who.email: _session(who.email) for who in [*people, *_third(walk.entities)]}, walk.entities


def _third(entities: Sequence[str]) -> list[Any]:
    """Someone of the third entity, who hands in as the others do."""
    from lastro.web.guests import Guest
    from lastro.web.scopes import Role

    return [Guest("zeca@terceira-gestora.example", "Zeca", Role.ENTITY_PREPARER, entities[2])]


def _session(email: str) -> str:
    """The cookie of someone who came in with both factors: coming in is not what is measured."""
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore
    from django_otp import DEVICE_ID_SESSION_KEY
    from django_otp.plugins.otp_totp.models import TOTPDevice

    from lastro.web.models import Person

    person = Person.objects.get(email=email)
    device, _ = TOTPDevice.objects.get_or_create(user=person, name="telefone", confirmed=True)
    session = SessionStore()
    session[SESSION_KEY] = str(person.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = person.get_session_auth_hash()
    session[DEVICE_ID_SESSION_KEY] = device.persistent_id
    session.create()
    return f"lastro_sessao={session.session_key}"


@contextmanager
def _served(command: Sequence[str], port: str) -> Iterator[int]:
    """A server in a process of its own, and the port that it says."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        for line in process.stdout:
            if found := re.search(port, line):
                yield int(found[1])
                return
        raise AssertionError("o servidor não começou")
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=60)


def _get(http: HTTPConnection, address: str, cookie: str) -> tuple[int, bytes]:
    http.request("GET", address, headers={"Cookie": cookie} if cookie else {})
    answer = http.getresponse()
    return answer.status, answer.read()


def _menu(port: int, cookie: str) -> list[str]:
    """The addresses of a role's menu, as its first page shows them."""
    http = HTTPConnection("127.0.0.1", port, timeout=120)
    http.request("GET", "/", headers={"Cookie": cookie})
    answer = http.getresponse()
    answer.read()
    _, page = _get(http, answer.getheader("Location") or "/", cookie)
    menu = re.search(rb'<nav class="menu".*?</nav>', page, re.DOTALL)
    return [found.decode() for found in re.findall(rb'href="(/[^"]*)"', menu[0])] if menu else []


def _visit(
    menus: Mapping[str, Sequence[str]], cookies: Mapping[str, str], *, port: int, users: int, rounds: int
) -> Visits:
    """So many visitors at once, shared out over the roles; each goes through its menu so many times."""
    met, lock, roles = Visits(), threading.Lock(), sorted(menus)

    def visitor(number: int) -> None:
        role, rnd = roles[number % len(roles)], random.Random(number)
        http = HTTPConnection("127.0.0.1", port, timeout=120)
        time.sleep(rnd.uniform(0, PAUSE))
        for address in [a for _ in range(rounds) for a in menus[role]]:
            begun = time.perf_counter()
            try:
                status, _ = _get(http, address, cookies[role])
            except (HTTPException, OSError) as wrong:
                status, http = repr(wrong), HTTPConnection("127.0.0.1", port, timeout=120)
            took = time.perf_counter() - begun
            with lock:
                met.seconds[address].append(took)
                if status != 200:
                    met.wrong.append(f"{role} {address}: {status}")
            time.sleep(rnd.uniform(PAUSE / 2, PAUSE * 3 / 2))

    crowd = [threading.Thread(target=visitor, args=(n,)) for n in range(users)]
    for one in crowd:
        one.start()
    for one in crowd:
        one.join()
    return met


def _show(bare: Visits, met: Visits, users: int) -> None:
    floor = bare.p95("/")
    rows = [("página", "visitas", "p95 (ms)", "vezes a página nua")]
    rows.append(("página nua de Django", str(len(bare.seconds["/"])), f"{floor * 1000:.0f}", "1,0"))
    for page in sorted(met.seconds):
        p95 = met.p95(page)
        times = f"{p95 / floor:.1f}".replace(".", ",")
        rows.append((page, str(len(met.seconds[page])), f"{p95 * 1000:.0f}", times))
    table(f"W1: {users} pessoas ao mesmo tempo, uma página a cada {PAUSE} s; erros: {len(met.wrong)}", rows)


def _hand_in(port: int, data: Path, cookies: Mapping[str, str], entities: Sequence[str], notes: int) -> None:
    """Three entities hand in so many notes each at the same time; every one must be there in the end."""
    zips = corpus.corpus(20_000).zips
    each = notes // corpus.IN_A_ZIP
    who = ("ana@gestora.example", "celia@outra-gestora.example", "zeca@terceira-gestora.example")
    begun, jobs = time.perf_counter(), []
    for n, email in enumerate(who):
        jobs.append(_upload(port, cookies[email], zips[n * each : (n + 1) * each]))
    waiting = dict(zip(who, jobs, strict=True))
    while waiting:
        time.sleep(1)
        for email, address in list(waiting.items()):
            http = HTTPConnection("127.0.0.1", port, timeout=120)
            http.request("GET", f"{address}andamento/", headers={"Cookie": cookies[email]})
            answer = http.getresponse()
            answer.read()
            if answer.getheader("X-Lastro-Over") == "sim":
                del waiting[email]
    took = time.perf_counter() - begun
    with Store.open(data) as store, custody(store) as memory:
        for n, entity in enumerate(entities):
            kept = {row.sha256 for row in memory.answered(For(entity, demo.NORM, demo.YEAR), files=None)}
            sent = _digests(zips[n * each : (n + 1) * each])
            assert len(sent) == notes
            assert sent <= kept, f"{entity}: {len(sent - kept)} notas perdidas"
    print(f"\nTrês envios de {notes} notas ao mesmo tempo: {took:.0f} s, nenhuma perdida.")


def _digests(zips: Sequence[Path]) -> set[str]:
    """The SHA-256 of every note in some zips."""
    found = set()
    for path in zips:
        with zipfile.ZipFile(path) as archive:
            found |= {hashlib.sha256(archive.read(name)).hexdigest() for name in archive.namelist()}
    return found


def _upload(port: int, cookie: str, zips: Sequence[Path]) -> str:
    """Hand zips in by the form, as a browser does; gives the address of the upload."""
    http = HTTPConnection("127.0.0.1", port, timeout=300)
    http.request("GET", "/entidade/envios/novo/", headers={"Cookie": cookie})
    answer = http.getresponse()
    mark = re.search(rb'name="csrfmiddlewaretoken" value="([^"]+)"', answer.read())
    set_cookie = re.search(r"lastro_csrf=([^;]+)", answer.getheader("Set-Cookie") or "")
    assert mark is not None
    assert set_cookie is not None
    edge = uuid4().hex
    parts = [_field(edge, "csrfmiddlewaretoken", mark[1].decode()), _field(edge, "ano", str(demo.YEAR))]
    for path in zips:
        head = f'--{edge}\r\nContent-Disposition: form-data; name="files"; filename="{path.name}"\r\n\r\n'
        parts.append(head.encode() + path.read_bytes() + b"\r\n")
    body = b"".join([*parts, f"--{edge}--\r\n".encode()])
    http.request(
        "POST",
        "/entidade/envios/novo/",
        body,
        {
            "Cookie": f"{cookie}; lastro_csrf={set_cookie[1]}",
            "Content-Type": f"multipart/form-data; boundary={edge}",
        },
    )
    answer = http.getresponse()
    answer.read()
    assert answer.status == 302, answer.status
    return str(answer.getheader("Location"))


def _field(edge: str, name: str, value: str) -> bytes:
    return f'--{edge}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
