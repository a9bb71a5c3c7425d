"""Verdicts under a norm, with what a registry answers, and what other files of the run say."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from itertools import permutations
from typing import Any

import pytest

from lastro.evidence import Context, Source, Together, admit, document_json, from_json, judge_source, to_json
from lastro.facts import Collection, Document, Outcome, Severity, Verdict
from lastro.ids import Origin
from lastro.lawkit import library
from tests.evidence import vectors as v

CONTEXT = Context(today=v.TODAY, trust=v.TRUST)
NORM = library.find("mt/decreto_1455_2025")
LAW = NORM.law(date(2026, 12, 31))


@dataclass
class Known:
    """A registry of one cooperative and one mill, in which one thing can be otherwise."""

    vettings: int = 1
    licences: dict[str, bool] = field(default_factory=dict)
    recyclers: dict[str, bool] = field(default_factory=lambda: {v.MILL: True})
    where: dict[str, str] = field(default_factory=lambda: {v.COOP: "5107909"})
    origins: dict[str, Origin] = field(default_factory=lambda: {v.COOP: Origin.PICKER_ENTITY})
    shut: set[str] = field(default_factory=set)
    unlisted: set[str] = field(default_factory=set)

    def vetted(self, operator: str, entity: str, on: date) -> bool:
        return self.vettings_at(operator, entity, on) > 0

    def vettings_at(self, operator: str, entity: str, on: date) -> int:
        return self.vettings if (operator, entity) == (v.COOP, v.ENTITY) else 0

    def licence_valid(self, cnpj: str, on: date) -> bool | None:
        return self.licences.get(cnpj)

    def is_recycler(self, cnpj: str, on: date) -> bool | None:
        return self.recyclers.get(cnpj)

    def origin(self, operator: str, on: date) -> Origin | None:
        return self.origins.get(operator)

    def municipality(self, cnpj: str) -> str | None:
        return self.where.get(cnpj)

    def closed(self, cnpj: str, on: date) -> bool:
        return cnpj in self.shut

    def listed(self, cnpj: str) -> bool | None:
        return False if cnpj in self.unlisted else None


def judged(data: bytes, file: str = "nota.xml") -> Document:
    (document,) = judge_source(Source(file, None, data), CONTEXT)
    return document


def verdict(note: v.Note | None = None, *, known: Known | None = None, **choices: Any) -> Verdict:
    choices = {"regulation": NORM, "law": LAW, "entity": v.ENTITY, "year": 2026} | choices
    return admit(judged(v.authorised(note)), registry=known or Known(), **choices)


def codes(seen: Verdict) -> dict[str, Severity]:
    every = [*seen.findings, *(f for line in seen.lines for f in line.findings)]
    return {f.code: f.severity for f in every if f.code != "N18"}


def test_a_good_note_is_admitted_with_its_place_and_origin() -> None:
    seen = verdict()
    assert (seen.outcome, codes(seen)) == (Outcome.ADMITTED, {})
    (line,) = seen.lines
    assert line.counts
    assert line.collection == Collection("5107909", "operator", Origin.PICKER_ENTITY)


@pytest.mark.parametrize(
    ("known", "code", "outcome"),
    [
        (Known(vettings=0), "P03", Outcome.REFUSED),
        (Known(vettings=2), "P04", Outcome.REVIEW),
        (Known(licences={v.COOP: False}), "P05", Outcome.REFUSED),
        (Known(licences={v.MILL: False}), "P05", Outcome.REFUSED),
        (Known(recyclers={}), "P07", Outcome.REVIEW),
        (Known(recyclers={v.MILL: False}), "P07", Outcome.REVIEW),
        (Known(shut={v.MILL}), "P02", Outcome.REVIEW),
        (Known(unlisted={v.MILL}), "P06", Outcome.ADMITTED),
        (Known(unlisted={v.COOP}), "P06", Outcome.ADMITTED),
        (Known(origins={}), "M14", Outcome.REVIEW),
        (Known(origins={v.COOP: Origin.PRIVATE_RECYCLER}), "M14", Outcome.REFUSED),
        (Known(where={}), "G04", Outcome.ADMITTED),
        (Known(where={v.COOP: "5107908"}), "G01", Outcome.ADMITTED),
        (Known(licences={v.COOP: True}), "", Outcome.ADMITTED),
    ],
)
def test_one_thing_otherwise_gives_one_code(known: Known, code: str, outcome: Outcome) -> None:
    seen = verdict(known=known)
    assert (set(codes(seen)), seen.outcome) == ({code} - {""}, outcome)


@pytest.mark.parametrize(
    ("day", "code"),
    [("2025-12-31", {"N14"}), ("2026-01-01", set()), ("2026-12-31", set()), ("2027-01-01", {"N14"})],
)
def test_the_window_of_the_norm(day: str, code: set[str]) -> None:
    seen = verdict(v.Note(issued_at=f"{day}T12:00:00-04:00"))
    assert set(codes(seen)) == code


def test_a_finding_on_the_whole_note_is_said_once_with_the_norms_article() -> None:
    seen = verdict(v.Note(issued_at="2025-12-31T12:00:00-04:00", items=[v.Item(), v.Item()]))
    assert [f.code for f in seen.findings] == ["N18", "N14"]
    assert "art. 70" in seen.findings[1].article
    assert all(not line.findings for line in seen.lines)


def test_the_norms_word_on_aerosols_stands_instead_of_ours() -> None:
    note = v.Note(items=[v.Item(ncm="76020000", description="Latas de aerossol", value="7500.00"), v.Item()])
    seen = verdict(note)
    assert [f.code for f in seen.lines[0].findings] == ["M13"]
    assert "art. 29" in seen.lines[0].findings[0].article
    assert (seen.lines[0].counts, seen.outcome) == (False, Outcome.ADMITTED)


def test_one_refused_line_refuses_the_note_and_a_line_that_counts_nothing_does_not() -> None:
    seen = verdict(v.Note(items=[v.Item(quantity="0"), v.Item()]))
    assert [line.outcome for line in seen.lines] == [Outcome.REFUSED, Outcome.ADMITTED]
    assert seen.outcome is Outcome.REFUSED
    seen = verdict(v.Note(items=[v.Item(ncm="48191000"), v.Item()]))
    assert [line.counts for line in seen.lines] == [False, True]
    assert seen.outcome is Outcome.ADMITTED


def test_without_a_registry_or_an_entity_the_vetting_asks_a_person() -> None:
    assert codes(verdict(entity=None)) == {"P03": Severity.REVIEW}
    alone = admit(judged(v.authorised()), regulation=NORM, law=LAW, year=2026)
    assert codes(alone) == {"P03": Severity.REVIEW, "P07": Severity.REVIEW, "G04": Severity.WARN}
    assert alone.outcome is Outcome.REVIEW


def test_without_a_norm_nothing_is_more_than_review() -> None:
    for seen in (admit(judged(v.authorised())), verdict(regulation=None, law=None)):
        assert (codes(seen), seen.outcome) == ({}, Outcome.REVIEW)
        assert [(line.outcome, line.counts) for line in seen.lines] == [(Outcome.REVIEW, False)]
    assert admit(judged(v.event(v.Note().access_key))).outcome is Outcome.REVIEW


def test_the_lots_file_says_where_and_whence_before_the_registry() -> None:
    def collected(key: str, line: int) -> Collection | None:
        return Collection("5102504", "lots_file", Origin.MUNICIPAL) if line == 1 else None

    seen = verdict(v.Note(items=[v.Item(), v.Item()]), collection=collected)
    assert [line.collection for line in seen.lines] == [
        Collection("5102504", "lots_file", Origin.MUNICIPAL),
        Collection("5107909", "operator", Origin.PICKER_ENTITY),
    ]


def test_the_vetted_operator_of_a_buyers_note_is_the_seller() -> None:
    note = v.Note(issuer=v.MILL, recipient=v.COOP, direction="0", items=[v.Item(cfop="1102")])
    seen = verdict(note)
    assert (codes(seen), seen.outcome) == ({}, Outcome.ADMITTED)


@pytest.mark.parametrize("recipient", [v.COOP, ""])
def test_a_days_purchases_from_individuals_are_the_buyers_own_collection(recipient: str) -> None:
    """Nobody is named who could be vetted: the buyer is asked as operator, and a person looks."""
    note = v.Note(recipient=v.COOP, direction="0", items=[v.Item(cfop="1102")])
    text = note.xml()
    if not recipient:
        head, _, rest = text.partition("<dest>")
        text = head + rest.partition("</dest>")[2]
    signed = v.sign(text)
    data = v.proc(signed, v.protocol(note.access_key, v.digest_of(signed)))
    asked: dict[str, Any] = {"regulation": NORM, "law": LAW, "entity": v.ENTITY, "year": 2026}
    seen = admit(judged(data), registry=Known(recyclers={v.COOP: True}), **asked)
    assert (codes(seen), seen.outcome) == ({"N12": Severity.REVIEW}, Outcome.REVIEW)
    assert seen.lines[0].collection == Collection("5107909", "operator", Origin.PICKER_ENTITY)
    unvetted = admit(judged(data), registry=Known(vettings=0, recyclers={v.COOP: True}), **asked)
    assert codes(unvetted)["P03"] is Severity.REFUSE


def test_the_verdict_can_be_made_again_from_what_was_stored() -> None:
    note = v.Note(
        items=[v.Item(), v.Item(unit="UN")], references=(v.Note(number=9).access_key,), net=("1.000",)
    )
    for data in (v.authorised(note), v.event(note.access_key), b"", v.sign(note.xml())):
        document = judged(data)
        stored = json.loads(json.dumps(to_json(document)))
        assert from_json(stored) == document
        choices: dict[str, Any] = {"regulation": NORM, "law": LAW, "registry": Known(), "entity": v.ENTITY}
        assert admit(from_json(stored), **choices) == admit(document, **choices)


def test_the_answer_follows_the_contract() -> None:
    document = judged(v.authorised(v.Note(items=[v.Item(), v.Item(unit="UN")])))
    made = document_json(document, admit(document, regulation=NORM, law=LAW))
    assert made["access_key"] == v.Note().access_key
    assert (made["kind"], made["name"], made["issued_on"]) == ("nfe", "nfeProc", "2026-05-14")
    assert (made["issuer"], made["recipient"], made["self_issued"]) == (v.COOP, v.MILL, False)
    assert (made["status"], made["status_source"], made["signature"]) == ("authorised", "file", "valid")
    assert [(line["mass_mg"], line["material"]) for line in made["lines"]] == [
        (1_250_000_000, "paper"),
        (None, "paper"),
    ]
    assert set(made["findings"][0]) == {
        "code", "severity", "where", "found", "expected", "article", "message", "cure",
    }  # fmt: skip
    json.dumps(made)


# ── the files of one run ─────────────────────────────────────────────────────────────────────────────


def together(files: dict[str, bytes]) -> dict[str, set[str]]:
    documents = [judged(data, name) for name, data in files.items()]
    run = Together()
    for document in documents:
        run.note(document, admit(document))
    return {d.file: {f.code for f in run.apply(d).findings} - {"N18"} for d in documents}


KEY = v.Note().access_key


def corrected(words: str) -> bytes:
    detail = f"<descEvento>Carta de Correção</descEvento><xCorrecao>{words}</xCorrecao>"
    return v.event(KEY, kind="110110", detail=detail)


def returned(by: str) -> bytes:
    return v.authorised(v.Note(number=5, issuer=by, recipient=v.COOP, purpose="4", references=(KEY,)))


def returned_at_the_item(key: str) -> bytes:
    """A return that names what it returns on its line (DFeReferenciado), as NT 2025.002 allows."""
    note = v.Note(number=5, issuer=v.MILL, recipient=v.COOP, purpose="4", items=[v.Item(cfop="5202")])
    named = f"</prod><DFeReferenciado><chaveAcesso>{key}</chaveAcesso><nItem>1</nItem></DFeReferenciado>"
    signed = v.sign(note.xml().replace("</prod>", named), owner=v.MILL)
    return v.proc(signed, v.protocol(note.access_key, v.digest_of(signed)))


def referring(purpose: str, extra: str = "", cfop: str = "1201") -> bytes:
    """Another note of the same two parties that refers to ours, for some purpose."""
    note = v.Note(
        number=6,
        issuer=v.MILL,
        recipient=v.COOP,
        purpose=purpose,
        references=(KEY,),
        items=[v.Item(cfop=cfop)],
    )
    signed = v.sign(note.xml().replace("</finNFe>", f"</finNFe>{extra}"), owner=v.MILL)
    return v.proc(signed, v.protocol(note.access_key, v.digest_of(signed)))


def credited(kind: str) -> bytes:
    return referring("5", f"<tpNFCredito>{kind}</tpNFCredito>")


BEARING: dict[str, tuple[Callable[[], bytes], set[str]]] = {
    "cancelled": (lambda: v.event(KEY), {"N10"}),
    "cancelled late": (lambda: v.event(KEY, status="155"), {"N10"}),
    "replaced": (lambda: v.event(KEY, kind="110112"), {"N10"}),
    "only asked for": (lambda: v.event(KEY, registered=False), set()),
    "refused by SEFAZ": (lambda: v.event(KEY, status="501"), set()),
    "registered before": (lambda: v.event(KEY, status="573"), {"N10"}),
    "cancelled before": (lambda: v.event(KEY, status="420"), {"N10"}),
    "unknown to its recipient": (lambda: v.event(KEY, kind="210220", owner=v.MILL), {"N16"}),
    "not carried out, says its recipient": (lambda: v.event(KEY, kind="210240", owner=v.MILL), {"N16"}),
    "not carried out, says another": (lambda: v.event(KEY, kind="210240", owner=v.OTHER), set()),
    "confirmed by its recipient": (lambda: v.event(KEY, kind="210200", owner=v.MILL), set()),
    "not delivered": (lambda: v.event(KEY, kind="110192"), {"N16"}),
    "cancelled, in the old way": (lambda: v.old_cancellation(KEY), {"N10"}),
    "cancelled in the old way, refused": (lambda: v.old_cancellation(KEY, status="220"), set()),
    "cancelled in the old way, by another": (lambda: v.old_cancellation(KEY, owner=v.OTHER), set()),
    "of another note": (lambda: v.event(v.Note(number=2).access_key), set()),
    "by another company": (lambda: v.event(KEY, owner=v.OTHER), set()),
    "altered": (lambda: v.event(KEY).replace(b"Erro de", b"Erro do"), set()),
    "another type": (lambda: v.event(KEY, kind="210200"), set()),
    "under no known root": (
        lambda: v.event(KEY, made=v.certificate("Raiz de outro", cnpj=v.COOP, start="2025-06-01")), set(),
    ),
    "corrected quantity": (lambda: corrected("Quantidade: 900 kg"), {"N11"}),
    "corrected address": (lambda: corrected("Rua B, 10"), set()),
    "returned": (lambda: returned(v.MILL), {"N16"}),
    "returned, named at the item": (lambda: returned_at_the_item(KEY), {"N16"}),
    "returned, another named at the item": (lambda: returned_at_the_item(v.Note(number=8).access_key), set()),
    "returned to another": (lambda: returned(v.OTHER), set()),
    "refused at the door": (lambda: credited("03"), {"N16"}),
    "refused in part at the door": (lambda: credited("06"), {"N16"}),
    "lowered in value": (lambda: credited("04"), set()),
    "completed": (lambda: referring("2"), set()),
    "adjusted": (lambda: referring("3"), set()),
    "debited": (lambda: referring("6"), set()),
    "other content": (lambda: v.authorised(v.Note(items=[v.Item(quantity="9.0000")])), {"N15"}),
    "other content, altered": (lambda: v.authorised().replace(b"1250.0000", b"9.0000"), set()),
    "same content, other wrapping": (lambda: v.sign(v.Note().xml()), set()),
    "same bytes": (lambda: v.authorised(), set()),
}  # fmt: skip


@pytest.mark.parametrize("name", BEARING)
def test_what_another_file_says_of_a_note_whatever_the_order(name: str) -> None:
    make, expected = BEARING[name]
    files = {"a-nota.xml": v.authorised(), "b-outro.xml": make()}
    for order in permutations(files):
        assert together({n: files[n] for n in order})["a-nota.xml"] == expected


def test_the_same_bytes_twice_are_said_of_the_later_name_only() -> None:
    files = {"b.xml": v.authorised(), "a.xml": v.authorised()}
    assert together(files) == {"a.xml": set(), "b.xml": {"F11"}}


def test_both_contents_of_one_key_are_contested() -> None:
    other = v.authorised(v.Note(items=[v.Item(quantity="9.0000")]))
    assert together({"a.xml": v.authorised(), "b.xml": other}) == {"a.xml": {"N15"}, "b.xml": {"N15"}}
