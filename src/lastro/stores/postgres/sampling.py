"""A verifier's sampling plan and what it found, kept as filings of the verifier, which nobody else sees."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from lastro.errors import LastroError
from lastro.filings import Filing, Kind, Subject
from lastro.ids import Material
from lastro.reports.sampling import ByHand, Checked, Item, Plan, Sampled, Unit, from_json, to_json
from lastro.stores.postgres.filings import Filings
from lastro.stores.postgres.store import Store
from lastro.units import Mass


def units_of(store: Store, *, entity: str, norm: str, year: int) -> list[Unit]:
    """The lots that may be drawn: those of the entity's year that hold mass, or held it and had it used.

    What counts is the mass that was entered and stands, whether used since or not.
    """
    with store.transaction() as db:
        rows = db.execute(
            """select access_key, line, min(issuer), min(material),
                      sum(case when debit = 'source' then mass_mg else -mass_mg end)::bigint
               from entry
               where claimant = %s and norm = %s and year = %s and book = 'TARGET'
                 and 'source' in (debit, credit)
               group by access_key, line order by access_key, line""",
            [entity, norm, year],
        ).fetchall()
    return [
        Unit(key, line, issuer, Material(material), Mass(mg))
        for key, line, issuer, material, mg in rows
        if mg > 0
    ]


class Samples:
    """One verifier's plan and checks on one entity's year."""

    def __init__(self, store: Store, *, verifier: str, entity: str, norm: str, year: int) -> None:
        self._filings = Filings(store, sees=verifier)
        self._subject = Subject(Kind.SAMPLE, verifier, norm=norm, period=str(year), name=entity)

    def standing(self) -> Sampled | None:
        """The plan that stands with what was found of its items; None while none was drawn."""
        filed = self._filings.latest(self._subject)
        if filed is None:
            return None
        plan = from_json(filed.body)
        wanted = {one.unit.item for one in plan.drawn}
        checks = {item: checked for item, checked in self._checks() if item in wanted}
        return Sampled(plan, checks, filed.version, str(filed.body.get("reason", "")))

    def plans(self) -> list[Filing]:
        """Every plan that was drawn, the latest first: drawing until it suits leaves a trace."""
        return self._filings.versions(self._subject)

    def draw(self, plan: Plan, *, reason: str, by: str, on: date, after: int) -> None:
        """Keep a plan after the one that was looked at; a second one has a reason. Raises LastroError."""
        if after and not reason.strip():
            raise LastroError("Já há um plano. Para sortear de novo, escreva por quê: fica na declaração.")
        body = {**to_json(plan), "reason": reason.strip()}
        self._filings.add(self._subject, body, by=by, on=on, after=after)

    def check(self, item: Item, *, right: Mass, reason: str, by: str, on: date) -> None:
        """Keep what was found of an item of the plan. Raises LastroError."""
        standing = self.standing()
        drawn = standing.plan.drawn if standing else ()
        unit = next((one.unit for one in drawn if one.unit.item == item), None)
        if unit is None:
            raise LastroError("Este item não está no plano de amostragem em vigor.")
        if right > unit.mass:
            raise LastroError(
                f"A massa comprovada ({right}) passa da que o item tem no livro ({unit.mass}): um item "
                "comprova no máximo a própria massa. Confira o número, com a vírgula antes dos decimais; se "
                'a pesagem deu mais do que a nota diz, marque "a massa inteira" e escreva a pesagem.'
            )
        if not reason.strip():
            raise LastroError("Escreva o que você conferiu: o papel, a pesagem ou a visita.")
        subject = self._subject_of(item)
        last = self._filings.latest(subject)
        self._filings.add(
            subject,
            {"right_mg": right.mg, "reason": reason.strip()},
            by=by,
            on=on,
            after=last.version if last else 0,
        )

    def by_hand(self) -> ByHand:
        """What was looked at, and the reason for declaring without the rest, while it covers what is left.

        A reason covers the plan that it was given under and no more items than were left then.
        """
        made = ByHand(self.standing())
        filed = self._filings.latest(self._unchecked)
        version = made.sampled.version if made.sampled else 0
        if filed is None or filed.body["plan"] != version or int(filed.body["left"]) < made.left:
            return made
        return ByHand(made.sampled, str(filed.body["reason"]))

    def leave(self, *, reason: str, by: str, on: date) -> ByHand:
        """Keep why the statement goes out though not everything was looked at. Raises LastroError."""
        made, said = self.by_hand(), reason.strip()
        if made.whole or said == made.reason:
            return made
        if not said:
            raise LastroError("Escreva por que se declara sem conferir tudo: fica na declaração.")
        version = made.sampled.version if made.sampled else 0
        body = {"plan": version, "left": made.left, "reason": said}
        self._filings.add(self._unchecked, body, by=by, on=on, after=self._filings.version(self._unchecked))
        return ByHand(made.sampled, said)

    @property
    def _unchecked(self) -> Subject:
        own = self._subject
        return Subject(Kind.UNCHECKED, own.party, norm=own.norm, period=own.period, name=own.name)

    def _subject_of(self, item: Item) -> Subject:
        own = self._subject
        name = f"{own.name}/{item[0]}/{item[1]}"
        return Subject(Kind.CHECK, own.party, norm=own.norm, period=own.period, name=name)

    def _checks(self) -> Iterable[tuple[Item, Checked]]:
        own = self._subject
        for filed in self._filings.standing(Kind.CHECK, party=own.party, norm=own.norm, period=own.period):
            entity, key, line = filed.subject.name.split("/")
            if entity == own.name:
                body = filed.body
                checked = Checked(
                    Mass(int(body["right_mg"])), str(body["reason"]), filed.by, filed.on.isoformat()
                )
                yield (key, int(line)), checked
