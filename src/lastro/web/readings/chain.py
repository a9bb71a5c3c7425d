"""The sales behind one sale as a page shows them: a drawing, and the same in words beside it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, date, datetime

from django.urls import reverse

from lastro.custody.chain import Flow, Sale, Upstream, least_excess
from lastro.custody.chain_picture import graph, picture
from lastro.custody.chain_settle import behind
from lastro.custody.chain_story import Step, story
from lastro.ids import Material, masked
from lastro.stores.postgres import cases as store
from lastro.stores.postgres.custody import custody
from lastro.units import ZERO, Mass
from lastro.web import office
from lastro.web.readings.documents import shown_party

DEPTHS = range(1, 5)


@dataclass(frozen=True)
class Told:
    """One purchase or sale of the seller before the sale, with what it then held free and already counted.

    Of a note of another verifier only that it is there is shown: `open` is False, and masses are None.
    """

    what: str
    sale: Sale | None
    on: date | None
    mass: Mass | None
    credited: Mass | None
    free: Mass | None
    counted: Mass | None
    open: bool
    address: str


@dataclass(frozen=True)
class Chain:
    """What stands behind a sale, drawn and told."""

    key: str
    line: int
    material: Material
    seller: str
    buyer: str
    mass: Mass
    credited: Mass
    begins: bool
    answer: Upstream
    excess: Mass
    steps: tuple[Told, ...]
    svg: str
    depth: int
    beyond: int
    hidden: int

    @property
    def counts(self) -> Mass:
        """What the sale counts, once what was counted before is taken off."""
        return self.credited - self.answer.counted


def chain(key: str, line: int, entities: Collection[str] | None, *, depth: int) -> Chain | None:
    """The story of a sale for who acts for these entities (None: an agency); None where it is no sale."""
    sale = (key, line)
    with custody(office.store()) as memory:
        kept, world = behind(memory, sale)
        flows = [one.sold.flow for one in kept]
        told = story(flows, sale, world=world)
        if told is None:
            return None
        keys = sorted({flow.access_key for flow in flows})
        seen = set(keys) if entities is None else store.seen_by(memory.db, keys, entities)
    hidden = {flow.access_key for flow in flows} - seen
    drawn = graph(flows, told.flow, depth=depth, hidden=hidden)
    names = _names(flows, hidden, told.flow)
    links = {flow.sale: _address(flow.sale) for flow in flows if flow.access_key in seen}
    steps = [step for step in told.steps if step.flow is not told.flow]
    veiled = any(step.flow is not None and step.flow.access_key in hidden for step in steps)
    excess = least_excess(flows, world=world).get((told.flow.seller, told.flow.material), ZERO)
    return Chain(
        key=key,
        line=line,
        material=told.flow.material,
        seller=names[told.flow.seller],
        buyer=names[told.flow.buyer],
        mass=Mass(told.flow.mass_mg),
        credited=Mass(told.flow.credited_mg),
        begins=told.begins,
        answer=told.answer,
        excess=excess if not hidden else ZERO,
        steps=tuple(_told(step, names, hidden, veiled=veiled) for step in steps),
        svg=picture(drawn, labels=names, links=links, title="Vendas antes desta, da esquerda para a direita"),
        depth=depth,
        beyond=drawn.beyond,
        hidden=len(hidden),
    )


def _names(flows: Collection[Flow], hidden: Collection[str], told: Flow) -> dict[str, str]:
    """How each party is called; one that only notes of another verifier name has no name here."""
    open_ = {who for f in flows if f.access_key not in hidden for who in (f.seller, f.buyer)}
    open_ |= {told.seller, told.buyer}
    every = {who for flow in flows for who in (flow.seller, flow.buyer)}
    return {who: _name(who) if who in open_ else "empresa em notas de outro verificador" for who in every}


def _name(party: str) -> str:
    """A company by its name and root, a person by the middle of the CPF."""
    if len(party) != 8:
        return shown_party(party)
    found = next((row for row in office.registry().tables["parties"] if str(row["cnpj"])[:8] == party), None)
    root = masked(str(found["cnpj"]))[:10] if found else f"{party[:2]}.{party[2:5]}.{party[5:]}"
    return f"{root} {str(found['name']) if found else ''}".strip()


def _address(sale: Sale) -> str:
    return reverse("note-chain", args=[sale[0], sale[1]])


def _told(step: Step, names: dict[str, str], hidden: Collection[str], *, veiled: bool) -> Told:
    flow = step.flow
    free, counted = (None, None) if veiled else (step.clean, step.spent)
    if flow is None:
        return Told("fonte declarada", None, None, None, None, free, counted, open=True, address="")
    on = datetime.fromtimestamp(flow.at, UTC).date()
    if flow.access_key in hidden:
        said = "contada antes" if flow.credited_mg else "sem massa contada"
        what = f"{'compra' if step.bought else 'venda'} em nota de outro verificador: {said}"
        return Told(what, None, None, None, None, None, None, open=False, address="")
    what = f"compra de {names[flow.seller]}" if step.bought else f"venda a {names[flow.buyer]}"
    masses = Mass(flow.mass_mg), Mass(flow.credited_mg)
    return Told(what, flow.sale, on, *masses, free, counted, open=True, address=_address(flow.sale))
