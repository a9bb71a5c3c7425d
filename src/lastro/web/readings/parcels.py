"""Parcels that operators send to entities: what was sent, what was seen beforehand, what came of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lastro.custody.port import For
from lastro.filings import Filing, Kind, Subject
from lastro.ids import AccessKey, bare
from lastro.stores.postgres.custody import custody
from lastro.stores.postgres.filings import Filings
from lastro.web import office, parcels
from lastro.web.models import Job
from lastro.web.readings.documents import Said

NOTES = (".xml", ".zip", ".pdf", ".json", ".xlsx", ".gz", ".csv")
"""Files that are read as notes, manifests or certificates."""

SUPPORT = (".pdf", ".jpg", ".jpeg", ".png")
"""Papers that go beside a note for a person to look at: a scale ticket, a letter."""

_ANSWER = "parcel/"


def whom_of(entity: str) -> For:
    """Under which norm and year an entity's parcels are looked at: its latest, or this year's."""
    known = office.claimed(entity)
    return known[0] if known else For(entity, office.default_norm(), office.today().year)


# ── access keys ──────────────────────────────────────────────────────────────────────────────────────


def plain_key(text: str) -> str:
    """A key as it is kept, however it was typed or scanned: without blanks, points and dashes."""
    return bare(text.removeprefix("NFe").removeprefix("chNFe="))


def key_problem(text: str) -> str:
    """What is wrong with a typed key, in words; empty where nothing is."""
    key = plain_key(text)
    if len(key) != 44:
        return f"A chave tem 44 caracteres; aqui há {len(key)}. Ela está debaixo do código de barras da nota."
    try:
        parsed = AccessKey.parse(key)
    except ValueError:
        return "A chave só tem números; letras, só as do CNPJ (da 7ª à 18ª posição). Confira."
    if not parsed.right_digit:
        return "A chave não confere: há um número trocado. Leia de novo, de quatro em quatro (N03)."
    if parsed.model != "55":
        return (
            f"Esta chave é de outro documento (modelo {parsed.model}); a nota eletrônica é o modelo 55 (N01)."
        )
    return ""


# ── parcels ──────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Looked:
    """One document of a parcel, as it was looked at beforehand."""

    file: str
    kind: str
    key: str
    outcome: str
    mass_mg: int
    known: bool
    said: tuple[Said, ...]
    others: bool = False


@dataclass(frozen=True)
class Parcel:
    """What was sent, what was seen in it beforehand, and what the entity did with it."""

    filing: Filing
    answer: Filing | None
    look: Job | None = None
    notes: tuple[Looked, ...] = ()
    keys: Mapping[str, bool] = field(default_factory=dict)
    """The keys that were typed, and whether the entity has the note by now."""

    @property
    def title(self) -> str:
        """What the parcel is called in a list."""
        about = self.filing.body.get("about")
        if about:
            return f"Papel da nota {_number(about)}"
        names = [name for name, _ in self.filing.files]
        if not names:
            return f"{len(self.keys)} chave(s) de nota"
        return names[0] if len(names) == 1 else f"{names[0]} e mais {len(names) - 1}"

    @property
    def support(self) -> bool:
        """Whether it is a paper beside a note, for a person to look at."""
        return bool(self.filing.body.get("about"))

    @property
    def state(self) -> str:
        """Where the parcel is, in plain words."""
        if self.answer is None:
            missing = self.keys and not self.filing.files and not all(self.keys.values())
            return "falta o XML" if missing else "espera a entidade"
        return "a entidade recebeu" if self.answer.body.get("taken") else "a entidade devolveu"

    @property
    def tone(self) -> str:
        if self.answer is None:
            return "asks"
        return "good" if self.answer.body.get("taken") else "bad"


def _number(key: str) -> str:
    return str(int(AccessKey.parse(key).number))


def parcels_from(operator: str) -> list[Parcel]:
    """What an operator sent, the latest first."""
    filings = Filings(office.store(), sees=operator)
    return _parcels(filings, filings.standing(Kind.PARCEL, party=operator))


def parcels_to(entity: str) -> list[Parcel]:
    """What operators sent to an entity, the latest first."""
    filings = Filings(office.store(), sees=entity)
    return _parcels(filings, filings.standing(Kind.PARCEL, addressee=entity))


def _parcels(filings: Filings, found: Sequence[Filing]) -> list[Parcel]:
    answers = {one.body.get("parcel"): one for one in filings.standing(Kind.ANSWER) if _is_answer(one)}
    return [Parcel(one, answers.get(one.id), keys=_keys(one)) for one in found]


def _is_answer(one: Filing) -> bool:
    return one.subject.name.startswith(_ANSWER)


def _keys(parcel: Filing) -> dict[str, bool]:
    """The typed keys of a parcel, and which of their notes the entity has."""
    keys = [str(key) for key in parcel.body.get("keys", ())]
    if not keys:
        return {}
    with custody(office.store()) as memory:
        had = {r.access_key for r in memory.answered(whom_of(parcel.addressee), keys=keys) if r.kind == "nfe"}
    return {key: key in had for key in keys}


def sent(operator: str, number: int) -> Parcel | None:
    """One parcel of an operator, with the look beforehand; None if it sent none of that number."""
    return _one(Filings(office.store(), sees=operator), number, party=operator)


def received(entity: str, number: int) -> Parcel | None:
    """One parcel that an operator sent to an entity; None if it got none of that number."""
    return _one(Filings(office.store(), sees=entity), number, addressee=entity)


def _one(filings: Filings, number: int, *, party: str = "", addressee: str = "") -> Parcel | None:
    found = filings.one(number)
    if found is None or found.subject.kind is not Kind.PARCEL:
        return None
    if (party and found.subject.party != party) or (addressee and found.addressee != addressee):
        return None
    (parcel,) = _parcels(filings, [found])
    return parcel


def looked_at(parcel: Parcel, job: Job | None) -> Parcel:
    """The parcel with what the look beforehand saw in it."""
    rows = job.answer.get("notes", []) if job is not None else []
    notes = tuple(
        Looked(
            row["file"], row["kind"], row["key"], row["outcome"], row["mass_mg"], row["known"],
            tuple(parcels.said_again(row["said"])), row.get("others", False),
        )
        for row in rows
    )  # fmt: skip
    return Parcel(parcel.filing, parcel.answer, job, notes, parcel.keys)


def answered(parcel: Filing, *, entity: str) -> Subject:
    """What an entity's answer to a parcel is about."""
    return Subject(Kind.ANSWER, entity, parcel.subject.norm, name=f"{_ANSWER}{parcel.id}")
