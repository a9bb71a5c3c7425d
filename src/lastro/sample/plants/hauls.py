"""Loads on the road: a note, its manifest (MTR), and the certificate (CDF) of its end (C05 to C12)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from lastro.sample import waste
from lastro.sample.bench import Bench
from lastro.sample.faults import Fault
from lastro.sample.note import Note
from lastro.sample.people import Party
from lastro.sample.plants.identity import exact_note
from lastro.sample.plants.registry import mutation

_RESIDUES = {
    "paper": ("150101", "Embalagens de papel e cartão"),
    "plastic": ("150102", "Embalagens de plástico"),
    "mixed": ("150106", "Mistura de embalagens"),
}
_KG = 2500


@dataclass(frozen=True)
class _Haul:
    """One load of cardboard and the numbers of its papers."""

    bench: Bench
    fault: Fault
    entity: Party
    note: Note
    manifest: str
    certificate: str

    @property
    def of_state(self) -> str:
        """The number that a state's system gave the manifest, where its certificate comes from there."""
        printed = self.fault.params.get("certificate", {})
        return f"51{self.manifest[-8:]}" if printed.get("layout") == "state" else ""

    @property
    def day(self) -> dt.date:
        return self.note.issued.date()


@mutation
def hauled(bench: Bench, fault: Fault) -> None:
    """A load with its papers; `weighed` has a version of the manifest for each entry, in kilograms.

    `names`: the note names its manifest. `handed`: the forms in which the manifest is handed in. `sent` and
    `arrived` are days after the note's. `certificate` is what the printed certificate says. `paper` is what a
    careful reader must say of the manifest by itself. `counts` is how many kilograms of the note are left, if
    fewer than it says.
    """
    params = fault.params
    entity = bench.entity()
    haul = _Haul(bench, fault, entity, *_numbered(bench, entity, names=params.get("names", True)))
    for number, weighed in enumerate(params.get("weighed", [str(_KG)])):
        _hand_in(haul, _trip(haul, weighed), params.get("handed", ["json"])[number])
    if "certificate" in params:
        _certify(haul, params["certificate"])
    left = params.get("counts")
    part = int(Decimal(left) * 10**6) if left else None
    bench.put(fault, entity, haul.note, bench.seal(haul.note).data(), part_mg=part)


def _numbered(bench: Bench, entity: Party, *, names: bool) -> tuple[Note, str, str]:
    """A note in the middle of a month by an operator of its own, and numbers for its papers."""
    note = exact_note(bench, entity, bench.newcomer(entity), _KG)
    note = replace(note, issued=note.issued.replace(day=15), authorised=note.authorised.replace(day=15))
    manifest = f"26{bench.rnd.randrange(10**10):010d}"
    remarks = f"Carga acompanhada do MTR nº {manifest}." if names else ""
    return replace(note, remarks=remarks), manifest, f"{bench.rnd.randrange(10**5, 10**6)}"


def _trip(haul: _Haul, weighed: str) -> waste.Trip:
    """The manifest as the system has it; where nothing was weighed the load is still on its way."""
    params, note = haul.fault.params, haul.note
    code, name = _RESIDUES[params.get("residue", "paper")]
    treatment = params.get("treatment", "Reciclagem")
    load = waste.Load(code, name, str(_KG), weighed or None, unit="KG", treatment=treatment)
    stranger = haul.bench.cast.dealers[0] if params.get("of_others") else note.issuer
    return waste.Trip(
        haul.manifest,
        stranger.cnpj,
        note.recipient.cnpj,
        haul.day,
        (load,),
        received=haul.day + dt.timedelta(params.get("arrived", 1)) if weighed else None,
        shipped=haul.day + dt.timedelta(params.get("sent", 0)),
        situation="Recebido" if weighed else "Salvo",
        plate=note.plate,
        certificate=haul.certificate if "certificate" in params and weighed else "",
        state_number=haul.of_state,
        city=stranger.place.name,
        amended=bool(params.get("amended")),
    )


def _hand_in(haul: _Haul, trip: waste.Trip, form: str) -> None:
    """The manifest as the service's answer or in the system's report; one on its way proves no mass yet."""
    on_its_way = {"verdict": "review", "codes": ["M01"]}
    says = haul.fault.params.get("paper", {}) if trip.received else on_its_way
    if form == "json":
        _lay(haul, f"mtr-{trip.number}.json", waste.json_bytes(waste.envelope(waste.manifest(trip))), says)
    else:
        assert form == "xlsx", form
        _lay(haul, f"relatorio-mtr-{trip.number}.xlsx", waste.report_bytes(waste.report_rows([trip])), says)


def _certify(haul: _Haul, says: Mapping[str, Any]) -> None:
    """The printed certificate of a month, over the manifest (or another) and a mass."""
    code, name = _RESIDUES["paper"]
    treatment = says.get("treatment", "Reciclagem")
    another = f"{int(haul.manifest) + 1:012d}"
    listed = (haul.of_state or haul.manifest) if says.get("lists", True) else another
    first = haul.day.replace(day=says.get("from_day", 1))
    paper = waste.Paper(
        haul.certificate,
        haul.note.issuer.cnpj,
        haul.note.recipient.cnpj,
        first,
        haul.day.replace(day=28),
        haul.day + dt.timedelta(30),
        (waste.Load(code, name, "", f"{says['kg']}", unit="KG", treatment=treatment),),
        (listed,),
        city=haul.note.recipient.place.name,
    )
    _lay(
        haul,
        f"cdf-{paper.number}.pdf",
        waste.certificate_pdf(paper, layout=says.get("layout", "sinir")),
        says,
    )


def _lay(haul: _Haul, name: str, data: bytes, says: Mapping[str, Any]) -> None:
    """A paper on the shelf beside its note: right in itself, unless the certificate says otherwise."""
    verdict, codes = says.get("verdict", "admitted"), tuple(says.get("codes", ()))
    haul.bench.put(
        haul.fault,
        haul.entity,
        None,
        data,
        name=name,
        role="paper",
        codes=codes,
        verdict=verdict,
        zipped=False,
    )
