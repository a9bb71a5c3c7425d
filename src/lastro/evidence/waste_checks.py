"""Is this manifest or certificate whole and in order: its number, parties, days, situation, what was amended.

Nobody signs an MTR or a CDF as handed in, so nothing here says that it is genuine: the systems that issued
them are asked for that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import pairwise

from lastro.evidence import waste_values
from lastro.evidence.papers import Reading
from lastro.evidence.waste_fields import unsure
from lastro.facts import Finding, Status
from lastro.findings import finding
from lastro.ids import company_of, is_cnpj, is_cpf, masked
from lastro.tables import sinir
from lastro.waste import DestinationCertificate, Manifest

_PORTARIA = "Portaria MMA 280/2020"
_TWICE = ("COMPLEMENTAR", "PROVISORIO")
"""Kinds of manifest that say again what another one says: for a second lorry, or on paper beforehand."""

_ABROAD = ("EXPORTACAO", "IMPORTACAO")


def seen_on(reading: Reading, today: date) -> Iterator[Finding]:
    """What is amiss on a manifest or a certificate by itself."""
    if reading.manifest is not None:
        yield from _manifest(reading.manifest, today)
    if reading.destination is not None:
        yield from _certificate(reading.destination, today, printed=reading.name != "emiteCDF")


def status_of(reading: Reading) -> Status:
    """CANCELLED for a cancelled manifest; of others a file vouches for nothing."""
    told = reading.manifest
    cancelled = told is not None and sinir.state_of(told.situation) == "cancelled"
    return Status.CANCELLED if cancelled else Status.UNKNOWN


# ── a manifest ───────────────────────────────────────────────────────────────────────────────────────


def _manifest(manifest: Manifest, today: date) -> Iterator[Finding]:
    yield from _number("manNumero", manifest.number)
    if manifest.state_number:
        yield from _number("manNumeroEstadual", manifest.state_number)
    parties = {"gerador": manifest.generator, "destinador": manifest.destination}
    yield from _parties(parties, needed=("gerador", "destinador"))
    yield from _same(manifest.generator, manifest.destination)
    yield from _parties({"transportador": manifest.carrier, "armazenador": manifest.storage}, needed=())
    if not manifest.residues:
        yield unsure("F07", "listaManifestoResiduo", "nenhum resíduo", "ao menos um resíduo")
    yield from _situation(manifest)
    days = [
        ("emissão", manifest.issued_on),
        ("expedição", manifest.shipped_on),
        ("armazenamento", manifest.stored_on),
        ("recebimento", manifest.received_on),
    ]
    yield from _days(days, today)
    yield from _kind(manifest)
    if manifest.amended or any(residue.replaced for residue in manifest.residues):
        found = "pedido de alteração do recebimento" if manifest.amended else "resíduo ou tratamento trocado"
        expected = "o que foi entregue, sem alteração"
        yield finding("C09", where="alteraRecebimento", found=found, expected=expected)


def _number(where: str, number: str) -> Iterator[Finding]:
    lengths = (waste_values.NATIONAL, waste_values.STATE)
    if not (number.isascii() and number.isdigit() and len(number) in lengths):
        expected = f"{lengths[0]} algarismos (SINIR) ou {lengths[1]} (estado)"
        yield unsure("F07", where, number or "vazio", expected)


def _parties(parties: dict[str, str], *, needed: Sequence[str]) -> Iterator[Finding]:
    """F07 for a party that is not told, P01 for wrong check digits; a person's number is not repeated."""
    for name, who in parties.items():
        if not who:
            if name in needed:
                yield unsure("F07", name, "vazio", "CNPJ ou CPF")
        elif not is_cnpj(who) and not is_cpf(who):
            found = who if len(who) == 14 else f"{len(who)} caracteres"
            yield finding("P01", where=name, found=found, expected="dígitos verificadores certos")


def _same(generator: str, destination: str) -> Iterator[Finding]:
    """N12: a load between places of one company is no proof that it left, for a person to look at."""
    if len(generator) == len(destination) == 14 and company_of(generator) == company_of(destination):
        yield unsure("N12", "destinador", masked(destination), "outra empresa que não a geradora")


def _situation(manifest: Manifest) -> Iterator[Finding]:
    where, state = "situacaoManifesto", sinir.state_of(manifest.situation)
    if not manifest.situation:
        yield unsure("F07", where, "vazio", "a situação do manifesto")
    elif state == "cancelled":
        yield finding("N10", where=where, found=manifest.situation, expected="Recebido", article=_PORTARIA)
    elif not state:
        yield unsure("N09", where, manifest.situation, "uma situação conhecida do MTR", article=_PORTARIA)
    elif state == "open" and manifest.received_on is not None:
        found = f"{manifest.situation}, com recebimento em {manifest.received_on.isoformat()}"
        yield finding("C10", where=where, found=found, expected="Recebido")


def _kind(manifest: Manifest) -> Iterator[Finding]:
    kind = sinir.folded(manifest.kind)
    if manifest.complements or any(word in kind for word in _TWICE):
        found = f"complementar ao MTR {manifest.complements}" if manifest.complements else manifest.kind
        yield finding(
            "M15", where="tipoManifesto", found=found, expected="o MTR que a carga já tem", article=_PORTARIA
        )
    if kind in _ABROAD:
        expected = "carga que fica no país"
        yield unsure("M09", "tipoManifesto", manifest.kind, expected, article=_PORTARIA)


def _days(days: list[tuple[str, date | None]], today: date) -> Iterator[Finding]:
    """C10 for the first two days out of order, N13 for a day that has not come."""
    told = [(name, day) for name, day in days if day is not None]
    for (before, first), (after, second) in pairwise(told):
        if second < first:
            found = f"{after} em {second.isoformat()}, {before} em {first.isoformat()}"
            yield finding("C10", where=after, found=found, expected=f"{before} antes de {after}")
            break
    late = [(name, day) for name, day in told if day > today]
    if late:
        name, day = late[0]
        yield finding(
            "N13", where=name, found=day.isoformat(), expected=f"até {today.isoformat()}", article=_PORTARIA
        )


# ── a certificate ────────────────────────────────────────────────────────────────────────────────────


def _certificate(one: DestinationCertificate, today: date, *, printed: bool) -> Iterator[Finding]:
    if not one.number.isdigit():
        yield unsure("F07", "CDF nº", one.number or "vazio", "o número do CDF")
    yield from _parties(
        {"gerador": one.generator, "destinador": one.destination}, needed=("gerador", "destinador")
    )
    yield from _same(one.generator, one.destination)
    if not one.manifests:
        yield unsure("F07", "manifestos incluídos", "nenhum", "ao menos um MTR")
    for number in one.manifests:
        yield from _number("manifestos incluídos", number)
    if printed and not one.residues:
        yield unsure("F07", "resíduos", "nenhum", "ao menos um resíduo")
    for name, day in (("início do período", one.period_from), ("fim do período", one.period_to)):
        if day is None:
            yield unsure("F07", name, "vazio", "uma data")
    days = [
        ("início do período", one.period_from),
        ("fim do período", one.period_to),
        ("declaração", one.declared_on),
    ]
    yield from _days(days, today)
