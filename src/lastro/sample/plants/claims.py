"""One mass brought twice: by one entity or by several (C01, C02)."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from lastro.sample.bench import Bench, LotRow
from lastro.sample.faults import Fault
from lastro.sample.plants.identity import exact_note
from lastro.sample.plants.registry import mutation
from lastro.sample.seal import Dress, redress


@mutation
def again(bench: Bench, fault: Fault) -> None:
    """One entity brings a signed note a second time, in other bytes or in the same ones.

    Either copy may be the one that counts; the truth names the one whose name sorts last as the repetition.
    """
    entity = bench.entity()
    note = bench.draft(entity)
    sealed = bench.seal(note)
    first = f"{note.key}-procNFe.xml"
    bench.put(
        fault,
        entity,
        note,
        sealed.data(),
        name=first,
        role="support",
        codes=(),
        verdict="admitted",
        zipped=False,
    )
    params = fault.params
    other = redress(sealed, Dress(**params.get("dress", {})))
    if params.get("late_answer"):
        assert other.protocol is not None
        other = replace(other, protocol=replace(other.protocol, reason="Autorizado o uso da NF-e (consulta)"))
    same = other.data() == sealed.data()
    assert same == bool(params.get("same_bytes"))
    second = f"{note.key}-procNFe_copia.xml"
    zipped = bool(params.get("zipped"))
    bench.put(fault, entity, note, other.data(), name=second, counted=False, zipped=zipped)


@mutation
def look_alike(bench: Bench, fault: Fault) -> None:
    """Two loads of one operator to one recycler in one month, alike and yet two."""
    entity = bench.entity()
    note = bench.draft(entity, family="glass")
    bench.note(fault, entity, note)
    other = bench.draft(entity, operator=note.issuer, recipient=note.recipient, family="glass")
    bench.note(fault, entity, other)


@mutation
def claimed(bench: Bench, fault: Fault) -> None:
    """Several entities that vetted one operator claim one line, whole (`""`) or in part, in kilograms."""
    params = fault.params
    operator, entities = bench.shared(*params["entities"])
    note = exact_note(bench, entities[0], operator, params["kg"])
    sealed = bench.seal(note)
    for number, (entity, part) in enumerate(zip(entities, params["parts"], strict=True)):
        dress = Dress(bom=True) if params.get("rewrapped") and number else Dress()
        part_mg = int(Decimal(part) * 10**6) if part else None
        bench.put(fault, entity, note, redress(sealed, dress).data(), part_mg=part_mg)
        if part:
            bench.lot(entity, LotRow(note.key, 1, mass_kg=part))
