"""Requests of offices: asked with a ground and a day, answered with files and marks, closed by who asked.

A request is a filing of the office, addressed to who must answer; each answer is a filing of theirs,
addressed to the office. Both only grow by versions: who asked, answered and closed, and when, stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from lastro.errors import LastroError
from lastro.filings import Filing, Kind, Subject
from lastro.ids import bare, is_cnpj
from lastro.lawkit import Regulation, library
from lastro.lawkit.asks import ENTITY, Ask
from lastro.stores.postgres.filings import ChangedMeanwhile, Filings
from lastro.web import office
from lastro.web.marked import gettext_noop
from lastro.web.readings.letters import Letter

OFFICES = {
    "agency": "órgão ambiental",
    "ministry": "Ministério do Meio Ambiente",
    "gap": "grupo de acompanhamento",
}
MOST_TEXT, MOST_FILES, MOST_BYTES = 8000, 10, 20 * 1024 * 1024

Files = Sequence[tuple[str, bytes]]

STATES = {
    "open": (gettext_noop("em aberto"), "asks"),
    "late": (gettext_noop("atrasado"), "bad"),
    "answered": (gettext_noop("respondido"), "good"),
    "closed": (gettext_noop("encerrado"), "plain"),
}


class Refused(LastroError):
    """What was typed is not enough; the message says what to write, in Portuguese."""


@dataclass(frozen=True)
class Request(Letter):
    """A request as it stands: its versions and its answers, the oldest first."""

    STATES = STATES
    WHO = OFFICES

    asked: tuple[Filing, ...]
    answers: tuple[Filing, ...]
    state: str

    @property
    def last(self) -> Filing:
        """The version of the request that stands."""
        return self.asked[-1]

    @property
    def article(self) -> str:
        return str(self.last.body["article"])

    @property
    def turns(self) -> tuple[Filing, ...]:
        """What each said, in the order in which it was said."""
        return tuple(sorted((*self.asked, *self.answers), key=lambda one: one.id))


def rights(who: str, *, opens: bool = False) -> list[tuple[Regulation, Ask]]:
    """What an office may ask for (or open by itself), norm by norm."""
    return [
        (regulation, ask)
        for regulation in library.every()
        for ask in regulation.asks
        if who in ask.offices and ask.opens is opens
    ]


def right(who: str, key: str, *, opens: bool = False) -> tuple[Regulation, Ask]:
    """The right named "norm/ask". Raises Refused where the office has none of that name."""
    for regulation, ask in rights(who, opens=opens):
        if key == f"{regulation.norm.path}/{ask.name}":
            return regulation, ask
    raise Refused("Escolha em que artigo o pedido se apoia: a lista tem os que valem para o seu órgão.")


def party_of(typed: str) -> str:
    """The establishment that somebody typed, known to the registry. Raises Refused."""
    cnpj = bare(typed)
    if not is_cnpj(cnpj):
        raise Refused("Escreva o CNPJ do estabelecimento, com 14 caracteres; este não confere (P01).")
    if office.registry().party(cnpj) is None:
        raise Refused("Este CNPJ não está no cadastro, e ninguém receberia o pedido. Cadastre-o antes.")
    return cnpj


def is_entity(cnpj: str) -> bool:
    """Whether the registry knows the establishment as a managing entity."""
    tables = office.registry().tables
    named = (*tables["terms"], *tables["contracts"], *tables["members"])
    return any(str(row["entity"]) == cnpj for row in named)


def ask(
    who: str,
    *,
    to: str,
    key: str,
    title: str,
    text: str,
    reason: str,
    due: date | None,
    by: str,
    files: Files = (),
) -> Filing:
    """An office asks; the number is the next of its year. Raises Refused.

    `key` names the right ("norm/ask"), `reason` why it is asked: the norms give reports for a reason only.
    """
    regulation, found = right(who, key)
    addressee = party_of(to)
    if (ENTITY if is_entity(addressee) else "company") not in found.of:
        whom = "entidades gestoras" if ENTITY in found.of else "empresas"
        raise Refused(
            f"{regulation.norm.cite(found.provisions)} vale para {whom}: escolha outro artigo ou CNPJ."
        )
    body = {
        "title": needed(title, "Dê ao pedido um título.", 200),
        "text": needed(text, "Escreva o que se pede."),
        "reason": needed(reason, "Escreva por que se pede: a norma manda justificar."),
        "due": ahead(due).isoformat(),
        "ask": found.name, "article": regulation.norm.cite(found.provisions), "state": "open",
    }  # fmt: skip
    mine = Filings(office.store(), sees=who)
    for _ in range(20):  # two people of one office may ask at the same time
        subject = Subject(Kind.REQUEST, who, norm=regulation.norm.path, name=next_number(mine, who))
        try:
            return mine.add(subject, body, by=by, on=office.today(), addressee=addressee, files=sound(files))
        except ChangedMeanwhile:
            continue
    raise LastroError("Muita gente pede ao mesmo tempo. Tente de novo.")


def next_number(mine: Filings, who: str, kind: Kind = Kind.REQUEST) -> str:
    """The next number of the year that an office gives to a filing of a kind, as 2027-0001."""
    year = office.today().year
    taken = [one.subject.name for one in mine.standing(kind, party=who, withdrawn=True)]
    last = max((int(name[5:]) for name in taken if name.startswith(f"{year}-")), default=0)
    return f"{year}-{last + 1:04d}"


def answer(
    request: Request,
    *,
    text: str,
    by: str,
    files: Files = (),
    secret: str = "",
    ground: str = "",
) -> Filing:
    """Who was asked answers, the mark of what is protected beside it. Raises Refused.

    `secret` says which information is protected, `ground` the law that protects it: one asks for the other.
    """
    if request.state == "closed":
        raise Refused("O pedido já foi encerrado por quem o fez.")
    body = {"text": needed(text, "Escreva a resposta."), **_mark(request, secret.strip(), ground.strip())}
    subject = _answer_subject(request)
    mine = Filings(office.store(), sees=request.addressee)
    return mine.add(
        subject, body, by=by, on=office.today(), after=len(request.answers), addressee=request.office,
        files=sound(files),
    )  # fmt: skip


def _mark(request: Request, secret: str, ground: str) -> dict[str, str]:
    if not secret and not ground:
        return {}
    regulation = library.find(request.last.subject.norm)
    law, seals = regulation.law(office.today()), regulation.seals
    if seals is None:
        raise Refused(f"{regulation.norm.short_title} não prevê marca de sigilo neste pedido: apague-a.")
    article = regulation.norm.cite(seals.provisions)
    if not seals.marked(law, bool(secret), bool(ground)):
        raise Refused(f"Diga qual informação é protegida e com que fundamento, os dois ({article}).")
    return {"secret": secret[:MOST_TEXT], "ground": ground[:MOST_TEXT], "seal": article}


def _answer_subject(request: Request) -> Subject:
    name = f"{request.office}-{request.number}"
    return Subject(Kind.ANSWER, request.addressee, norm=request.last.subject.norm, name=name)


def ask_more(request: Request, *, text: str, due: date | None, by: str) -> Filing:
    """The answer does not do: who asked says what is still lacking, and until when. Raises Refused."""
    lacking = needed(text, "Escreva o que ainda falta.")
    return _next(request, {"more": lacking, "due": ahead(due).isoformat(), "state": "open"}, by=by)


def close(request: Request, *, text: str, by: str) -> Filing:
    """Who asked ends the request, and says how it ended. Raises Refused."""
    return _next(request, {"end": needed(text, "Escreva como o pedido terminou."), "state": "closed"}, by=by)


def _next(request: Request, change: dict[str, str], *, by: str) -> Filing:
    if request.state == "closed":
        raise Refused("O pedido já foi encerrado.")
    body = {**{k: v for k, v in request.last.body.items() if k not in ("more", "end")}, **change}
    return Filings(office.store(), sees=request.office).add(
        request.last.subject, body, by=by, on=office.today(), after=request.last.version,
        addressee=request.addressee,
    )  # fmt: skip


# ── to read ──────────────────────────────────────────────────────────────────────────────────────────


def made_by(who: str) -> list[Request]:
    """Every request of an office, the latest first."""
    return [_whole(Filings(office.store(), sees=who), one) for one in _standing(who, party=who)]


def made_to(party: str) -> list[Request]:
    """Every request addressed to an establishment, the latest first."""
    return [_whole(Filings(office.store(), sees=party), one) for one in _standing(party, addressee=party)]


def open_of(party: str) -> list[Request]:
    """What an establishment still has to answer, the nearest day first."""
    return sorted((r for r in made_to(party) if r.state in ("open", "late")), key=lambda r: r.due)


def _standing(sees: str, *, party: str | None = None, addressee: str | None = None) -> list[Filing]:
    return Filings(office.store(), sees=sees).standing(Kind.REQUEST, party=party, addressee=addressee)


def one(who: str, number: str, *, seen_by: str) -> Request | None:
    """A request by its office and number, if the one who looks asked it or must answer it."""
    mine = Filings(office.store(), sees=seen_by)
    found = next(iter(mine.standing(Kind.REQUEST, party=who, name=number)), None)
    if found is None or seen_by not in (who, found.addressee):
        return None
    return _whole(mine, found)


def _whole(seen: Filings, last: Filing) -> Request:
    asked = tuple(reversed(seen.versions(last.subject)))
    bare_request = Request(asked, (), "open")
    answers = tuple(reversed(seen.versions(_answer_subject(bare_request))))
    return Request(asked, answers, _state(last, answers))


def _state(last: Filing, answers: Sequence[Filing]) -> str:
    if last.body.get("state") == "closed":
        return "closed"
    if answers and answers[-1].id > last.id:
        return "answered"
    return "late" if office.today() > date.fromisoformat(str(last.body["due"])) else "open"


def file(sees: str, number: int, name: str) -> bytes | None:
    """A file of a request or an answer, if the one who looks may see it."""
    seen = Filings(office.store(), sees=sees)
    found = seen.one(number)
    if found is None or found.subject.kind not in (Kind.REQUEST, Kind.ANSWER) or found.public:
        return None
    return seen.file(number, name)


# ── openings: an office looks by itself at what is kept here ─────────────────────────────────────────


@dataclass(frozen=True)
class Opened:
    """An opening of data: who looked at whose, at what, why, and on which day."""

    filing: Filing
    office_words: str

    @property
    def fresh(self) -> bool:
        """Whether it still opens anything: an opening is for the day on which it was written."""
        return self.filing.on == office.today()


def open_data(who: str, *, of: str, key: str, reason: str, by: str) -> Filing:
    """An office opens the data of a company or entity, which sees that it did. Raises Refused."""
    regulation, found = right(who, key, opens=True)
    whose = party_of(of)
    body = {
        "article": regulation.norm.cite(found.provisions), "what": found.what,
        "reason": needed(reason, "Escreva por que os dados interessam: quem os forneceu lê a razão."),
    }  # fmt: skip
    mine = Filings(office.store(), sees=who)
    for _ in range(20):
        count = len(mine.standing(Kind.OPENING, party=who, withdrawn=True))
        name = f"{office.today().year}-{count + 1:04d}"
        subject = Subject(Kind.OPENING, who, norm=regulation.norm.path, name=name)
        try:
            return mine.add(subject, body, by=by, on=office.today(), addressee=whose)
        except ChangedMeanwhile:
            continue
    raise LastroError("Muita gente abre dados ao mesmo tempo. Tente de novo.")


def openings(*, by_office: str = "", of: str = "") -> list[Opened]:
    """The openings that an office made, or those of an establishment's data, the latest first."""
    assert bool(by_office) != bool(of), "one asks for an office's openings or for those of one's own data"
    seen = Filings(office.store(), sees=by_office or of)
    found = seen.standing(Kind.OPENING, party=by_office or None, addressee=of or None)
    return [Opened(filing, OFFICES.get(filing.subject.party, filing.subject.party)) for filing in found]


# ── what is typed ────────────────────────────────────────────────────────────────────────────────────


def needed(text: str, lacking: str, most: int = MOST_TEXT) -> str:
    """What was typed, without the blanks around it. Raises Refused where it is nothing, or too much."""
    plain = text.strip()
    if not plain:
        raise Refused(lacking)
    if len(plain) > most:
        raise Refused(f"O texto passa de {most} letras: resuma, ou mande como arquivo.")
    return plain


def ahead(due: date | None) -> date:
    """A day after today. Raises Refused."""
    if due is None or due <= office.today():
        raise Refused("Diga até que dia se responde: depois de hoje.")
    return due


_BEGINNINGS: Mapping[tuple[str, ...], bytes] = {
    (".pdf",): b"%PDF",
    (".png",): b"\x89PNG\r\n",
    (".jpg", ".jpeg"): b"\xff\xd8\xff",
    (".xlsx", ".docx", ".ods", ".odt", ".zip"): b"PK",
    (".csv", ".txt", ".xml", ".json"): b"",
}
"""What may be attached, by the end of its name, and how its bytes begin; texts hold no NUL."""


def unlike(name: str, data: bytes) -> str:
    """Why a file can't be attached: of a kind that offices don't take, or not what its name says."""
    end = next((ends for ends in _BEGINNINGS if name.lower().endswith(ends)), None)
    if end is None:
        kinds = ", ".join(kind for ends in _BEGINNINGS for kind in ends)
        return f"{name} não pode ser anexado. Mande um destes: {kinds}; ou grave o documento como PDF."
    if not data:
        return f"{name} está vazio. Escolha-o de novo."
    text = not _BEGINNINGS[end]
    if (text and b"\0" in data[:8192]) or _BEGINNINGS[end] not in data[:1024]:
        return f"{name} não é o que o nome diz: abra-o, grave-o de novo e anexe o que gravou."
    return ""


def sound(files: Iterable[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """Files under plain names, each name once. Raises Refused for too many, too large or strange ones."""
    kept: dict[str, bytes] = {}
    for name, data in files:
        plain = "".join(c for c in name.replace("\\", "/").rpartition("/")[2] if c.isprintable())[
            -120:
        ].strip()
        plain = plain or "arquivo"
        if why := unlike(plain, data):
            raise Refused(why)
        if plain in kept:
            raise Refused(f"Dois arquivos se chamam {plain}: mude o nome de um.")
        if len(data) > MOST_BYTES:
            raise Refused(f"{plain} passa de {MOST_BYTES // 2**20} MB: divida-o.")
        kept[plain] = data
    if len(kept) > MOST_FILES:
        raise Refused(f"São {len(kept)} arquivos; mande até {MOST_FILES} por vez, ou junte-os num zip.")
    return list(kept.items())
