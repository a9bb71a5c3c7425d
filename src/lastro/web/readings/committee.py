"""The committee of the Bolsa Reciclagem: seats, meetings, votes, and what it decides by them.

Each thing that it decides names the vote behind it; whoever analysed a registration decides nothing of it.
All of it is filed as `docs/bolsa.md` says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from lastro import incentives
from lastro.filings import Filing, Kind
from lastro.incentives import filed as room
from lastro.incentives import granting
from lastro.incentives.filed import ANALYSTS, COMMITTEE
from lastro.lawkit.glossary import label
from lastro.quarters import quarter_end
from lastro.units import Money
from lastro.web import office, typed
from lastro.web.readings import bolsa
from lastro.web.readings.incentive_desk import (
    Organisation,
    allowed,
    file_numbered,
    file_version,
    filings_of,
    path_of,
    ruled,
)
from lastro.web.readings.requests import Refused, needed

INSTITUTIONS = {
    "semad": "Semad", "feam": "Feam", "cmrr": "CMRR", "pickers": "catadores",
    "prosecutor": "Ministério Público",
}  # fmt: skip


def decide(
    found: Organisation, *, to: str, reason: str, recognised: bool, place: int | None, vote: str, by: str
) -> Filing:
    """The committee validates or rejects, by a vote; whoever analysed it decides nothing. Raises Refused."""
    if to not in dict(allowed(COMMITTEE, found)):
        raise Refused("O Comitê só decide um cadastro que o CMRR analisou.")
    if any(step.by == by for step in found.steps if step.subject.party == ANALYSTS):
        raise Refused("Quem analisou este cadastro não o decide (art. 8º).")
    _unused(vote)
    body: dict[str, Any] = {
        "to": to, "reason": needed(reason, "Escreva a razão."), "seen": found.said.version, "vote": vote,
    }  # fmt: skip
    if to == "validated":
        body |= {"recognised": recognised, **({"place": place} if place else {})}
    return file_version(COMMITTEE, Kind.STEP, body, by=by, name=found.cnpj, to=found.cnpj)


# ── the committee: seats, meetings, votes ────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Seat:
    """One seat: its institution, and who holds it and stands in, as that institution named them."""

    key: str
    institution: str
    filing: Filing | None

    @property
    def words(self) -> str:
        return f"{INSTITUTIONS[self.institution]} ({self.key.partition('/')[2]})"


def seats() -> list[Seat]:
    """Every seat that the norm gives, filled or not."""
    named = {one.subject.name: one for one in filings_of(COMMITTEE).standing(Kind.SEAT, party=COMMITTEE)}
    return [
        Seat(key, institution, named.get(key))
        for institution in INSTITUTIONS
        for number in range(1, ruled("seats", institution=institution) + 1)
        for key in [f"{institution}/{number}"]
    ]


def name_seat(key: str, *, holder: str, alternate: str, paper: str, by: str) -> Filing:
    """An institution names a holder and an alternate for a seat of its own. Raises Refused."""
    if key not in {one.key for one in seats()}:
        raise Refused("Este assento não existe no Comitê.")
    body = {
        "holder": needed(holder, "Escreva o titular.", 120),
        "alternate": needed(alternate, "Escreva o suplente: cada assento tem um.", 120),
        "paper": needed(paper, "Escreva o ofício da indicação.", 120),
    }  # fmt: skip
    if body["holder"].casefold() == body["alternate"].casefold():
        raise Refused("Titular e suplente são duas pessoas (art. 5º, § 5º).")
    return file_version(COMMITTEE, Kind.SEAT, body, by=by, name=key)


def meetings() -> list[Filing]:
    """The meetings, the latest first."""
    return filings_of(COMMITTEE).standing(Kind.MEETING, party=COMMITTEE, norm=path_of())


def meet(
    *, on: date | None, extraordinary: bool, called_by: str, asked_by: int, present: Sequence[str],
    agenda: str, by: str,
) -> Filing:  # fmt: skip
    """Keep a meeting with who was there; without a quorum it is kept and decides nothing. Raises Refused."""
    if on is None or on > office.today():
        raise Refused("Diga o dia da reunião, que não pode estar à frente.")
    filled = {one.key for one in seats() if one.filing is not None}
    here = sorted(set(present))
    if not here or not set(here) <= filled:
        raise Refused("Marque os assentos presentes; só conta assento com titular e suplente indicados.")
    if extraordinary and not ruled("may_call", institution=called_by, members=asked_by):
        raise Refused(
            "Reunião extraordinária é convocada pela coordenação ou por metade dos membros (art. 5º, § 4º)."
        )
    body = {
        "on": on.isoformat(), "extraordinary": extraordinary, "called_by": called_by, "present": here,
        "agenda": needed(agenda, "Escreva a pauta.", 2000),
        "quorum": bool(ruled("has_quorum", present=len(here))),
    }  # fmt: skip
    return file_numbered(COMMITTEE, Kind.MEETING, body, by=by)


def votes() -> list[Filing]:
    """Every vote, the latest first."""
    return filings_of(COMMITTEE).standing(Kind.VOTE, party=COMMITTEE, norm=path_of())


def vote(meeting: Filing, *, matter: str, said: Mapping[str, str], by: str) -> Filing:
    """Keep the vote on a matter: what each seat present said; no word is an abstention. Raises Refused."""
    present = meeting.body["present"]
    favour = sorted(seat for seat in present if said.get(seat) == "sim")
    against = sorted(seat for seat in present if said.get(seat) == "nao")
    if not meeting.body["quorum"]:
        raise Refused("Esta reunião não teve quórum, e nada se vota nela (art. 5º, § 3º).")
    passed = ruled("approved", present=len(present), in_favour=len(favour), against=len(against))
    count = sum(one.subject.name.startswith(f"{meeting.subject.name}/") for one in votes())
    body = {
        "matter": needed(matter, "Escreva a matéria votada.", 300), "in_favour": favour, "against": against,
        "abstained": sorted(set(present) - set(favour) - set(against)), "approved": bool(passed),
    }  # fmt: skip
    return file_version(COMMITTEE, Kind.VOTE, body, by=by, name=f"{meeting.subject.name}/{count + 1}")


def open_votes() -> list[Filing]:
    """The votes that passed and stand behind no decision yet."""
    mine, used = filings_of(COMMITTEE), set()
    for kind in (Kind.STEP, Kind.ACT, Kind.QUARTER, Kind.GRANT):
        rows = mine.standing(kind, party=COMMITTEE, norm=path_of(), earlier=True)
        used |= {one.body.get("vote") for one in rows}
    return [one for one in votes() if one.body["approved"] and one.subject.name not in used]


def _unused(name: str) -> None:
    if name not in {one.subject.name for one in open_votes()}:
        raise Refused("Escolha a votação aprovada em que a decisão se apoia; cada uma serve a uma decisão.")


# ── what the committee fixes: acts, quarters, grants ─────────────────────────────────────────────────


def act(posted: Mapping[str, str], *, by: str) -> Filing:
    """A numbered, dated act by a vote: coefficients, a requirement, a proof or priorities. Raises Refused."""
    name = needed(posted.get("ato", ""), "Escreva o número do ato, como 3/2027.", 40)
    decided = _past_day(posted.get("dia", ""), "Diga o dia do ato.")
    body: dict[str, Any] = {"act": name, "decided_on": decided.isoformat(), **_said(posted)}
    _unused(posted.get("voto", ""))
    if filings_of(COMMITTEE).standing(Kind.ACT, party=COMMITTEE, norm=path_of(), name=name):
        raise Refused("Já há um ato com este número.")
    return file_version(
        COMMITTEE, Kind.ACT, {**body, "vote": posted["voto"]}, by=by, period=str(decided.year), name=name,
        public=True,
    )  # fmt: skip


def _said(posted: Mapping[str, str]) -> dict[str, Any]:
    """What the act fixes. Raises Refused."""
    about = posted.get("sobre", "")
    if about == "coefficients":
        rows = [_coefficient(line) for line in posted.get("coeficientes", "").splitlines() if line.strip()]
        if not rows:
            raise Refused("Escreva os coeficientes, um por linha: material, k. Como: plastic; 2,5")
        return {"about": about, "coefficients": rows}
    if about == "requirement":
        since = _day(posted.get("desde", ""), "Diga desde quando o requisito vale.")
        what = needed(posted.get("texto", ""), "Escreva o requisito.", 1000)
        until = posted.get("ate", "")
        return {
            "about": about, "what": what, "since": since.isoformat(),
            **({"until": _day(until, "Diga até quando.").isoformat()} if until else {}),
        }  # fmt: skip
    if about == "proof":
        return {"about": about, "paper": needed(posted.get("texto", ""), "Escreva que papel prova.", 200)}
    if about == "priorities":
        year = typed.year(posted.get("ano", ""))
        if year is None:
            raise Refused("Diga de que ano são as prioridades.")
        what = needed(posted.get("texto", ""), "Escreva as diretrizes e prioridades.", 4000)
        return {"about": about, "year": year, "what": what}
    raise Refused("Escolha sobre o que é o ato.")


def material_words() -> dict[str, str]:
    """The materials that may have a coefficient, by their words and by their names in a facts file."""
    names = bolsa.materials(bolsa.everything())
    return {**{label(name).casefold(): name for name in names}, **{name: name for name in names}}


def _coefficient(line: str) -> dict[str, str]:
    parts = [part.strip() for part in line.split(";")]
    try:
        k = typed.plain(parts[-1])
    except ValueError:
        k = ""
    typed_name, _, subclass = parts[0].partition("/")
    known = material_words()
    material = known.get(typed_name.strip().casefold(), "")
    if len(parts) != 2 or not k or not material:
        words = ", ".join(dict.fromkeys(label(name).casefold() for name in known.values()))
        raise Refused(f"“{line.strip()}”: escreva material; k, com um destes materiais: {words}.")
    return {"material": material, "k": k, **({"subclass": subclass} if subclass else {})}


def open_quarter(posted: Mapping[str, str], *, by: str) -> Filing:
    """The committee opens a quarter, or corrects its money, by a vote. Raises Refused."""
    year, number = typed.year(posted.get("ano", "")), typed.counting(posted.get("trimestre", ""))
    if year is None or number not in (1, 2, 3, 4):
        raise Refused("Escolha o ano e o trimestre.")
    if granted(year, number) is not None:
        raise Refused("Este trimestre já foi concedido.")
    money = {
        key: _money(posted.get(name, ""), words)
        for key, name, words in (
            ("annual_brl", "anual", "o previsto para o ano"), ("budget_brl", "orcamento", "o orçamento"),
            ("donations_brl", "doacoes", "as doações"), ("other_brl", "outros", "as outras origens"),
        )
    }  # fmt: skip
    _unused(posted.get("voto", ""))
    body: dict[str, Any] = {**money, "step": "open", "vote": posted["voto"], "closed": []}
    admitted = typed.counting(posted.get("lugares", ""))
    if admitted:
        body["admitted"] = admitted
    return file_version(
        COMMITTEE, Kind.QUARTER, body, by=by, period=room.period_of(year, number), public=True
    )


def _money(text: str, words: str) -> str:
    try:
        return Money.brl(typed.plain(text or "0")).brl_text
    except ValueError:
        raise Refused(f"Escreva {words} em reais, como 50.000,00.") from None


def granted(year: int, number: int) -> Filing | None:
    """The grant of a quarter, as everybody reads it."""
    period = room.period_of(year, number)
    found = filings_of(COMMITTEE).standing(Kind.GRANT, party=COMMITTEE, period=period, name="")
    return found[0] if found else None


def answer(year: int, number: int) -> dict[str, Any] | None:
    """What `lastro grant` says of the quarter as it is filed now; None while it can't be reckoned."""
    now = bolsa.computed(bolsa.everything(), year=year, number=number)
    return None if now is None else incentives.answer(bolsa.regulation(), now.quarter, now.made)


def grant(year: int, number: int, *, vote: str, by: str) -> Filing:
    """The committee grants a quarter: the sums for all, and to each its own part. Raises Refused."""
    if granted(year, number) is not None:
        raise Refused("Este trimestre já foi concedido.")
    told = answer(year, number)
    if told is None:
        raise Refused("O trimestre não está aberto, ou nenhuma organização tem parte nele.")
    if told["blocked"]:
        raise Refused(f"Nada se concede: {' '.join(told['blocked'])}")
    if office.today() <= max(date.fromisoformat(told["proofs_due"]), quarter_end(year, number)):
        raise Refused("O prazo dos comprovantes ainda corre (art. 12).")
    _unused(vote)
    today, period = office.today(), room.period_of(year, number)
    for cnpj, body in granting.each(told, granted_on=today):
        file_version(COMMITTEE, Kind.GRANT, body, by=by, period=period, name=cnpj, to=cnpj)
    public = {**granting.published(told, granted_on=today), "vote": vote}
    return file_version(COMMITTEE, Kind.GRANT, public, by=by, period=period, public=True)


@dataclass(frozen=True)
class Payment:
    """A line of the payment list."""

    cnpj: str
    name: str
    amount: Money | None
    least: Money | None
    against: str


def payments(told: Mapping[str, Any]) -> list[Payment]:
    """Who is paid what of a quarter, and why who is not paid is not."""
    return [
        Payment(
            one["cnpj"], one["name"], _brl(one["amount_brl"]), _brl(one["least_to_members_brl"]),
            "; ".join(f"{f['code']} {f['found']} ({f['article']})" for f in one["findings"]),
        )
        for one in told["organisations"]
    ]  # fmt: skip


def paid(year: int, number: int) -> list[Payment]:
    """The payment list of a quarter that was granted."""
    period = room.period_of(year, number)
    rows = filings_of(COMMITTEE).standing(Kind.GRANT, party=COMMITTEE, period=period)
    return payments({"organisations": [one.body for one in reversed(rows) if one.subject.name]})


def _brl(text: str | None) -> Money | None:
    return None if text is None else Money.brl(text)


def _day(text: str, lacking: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise Refused(lacking) from None


def _past_day(text: str, lacking: str) -> date:
    found = _day(text, lacking)
    if found > office.today():
        raise Refused("O dia do ato não pode estar à frente.")
    return found
