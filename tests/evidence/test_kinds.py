"""Every kind of note and event: layouts, series, roles, answers; each signed, and each with near misses."""

from __future__ import annotations

import re

import pytest

from lastro.evidence import Context, Source, fast, fast_shapes, judge_source, read
from lastro.facts import Document, Signature, Status
from lastro.ids import mod11
from tests.evidence import vectors as v

CONTEXT = Context(today=v.TODAY, trust=v.TRUST)
PERSON = "529982247" + "25"  # an invented person, right check digits
OFFICE = v.cnpj("ZZSEFA000001")


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fast way learns a part when it is first met, so that both ways are asked in every case here."""
    monkeypatch.setattr(fast_shapes, "_WORTH_AN_EXPRESSION", 1)


def judged(data: bytes) -> Document:
    """The document, read both ways: where the fast one answers, it says the same."""
    plain, (long,) = fast.read(data), read(data)
    assert plain in (None, long)
    (document,) = judge_source(Source("nota.xml", None, data), CONTEXT)
    return document


def codes(document: Document) -> list[str]:
    return [f.code for f in document.findings if f.code != "N18"]


def authorised(text: str, *, owner: str = v.COOP, made: object = None, at: str = "", **choices: str) -> bytes:
    """A note's text, signed and authorised under the key that stands in it."""
    signed = v.sign(text, made, owner=owner)  # type: ignore[arg-type]
    key = text.partition('Id="NFe')[2][:44]
    prot = v.protocol(key, v.digest_of(signed), at=at or "2026-05-14T10:01:00-04:00", **choices)
    return v.proc(signed, prot)


# ── layouts ──────────────────────────────────────────────────────────────────────────────────────────

OTHER_KEY = v.Note(number=77).access_key
REFORM = (
    ("</indTot></prod>", "</indTot><gCred><cCredPresumido>SP123</cCredPresumido></gCred></prod><imposto><IS>"
     "<CSTIS>000</CSTIS><vIS>0.00</vIS></IS><IBSCBS><CST>000</CST><cClassTrib>000001</cClassTrib><gIBSCBS>"
     "<vBC>750.00</vBC><gCBS><pCBS>0.9000</pCBS><vCBS>6.75</vCBS></gCBS></gIBSCBS></IBSCBS></imposto>"
     f"<DFeReferenciado><chaveAcesso>{OTHER_KEY}</chaveAcesso><nItem>1</nItem></DFeReferenciado>"),
    ("</finNFe>", "</finNFe><gCompraGov><tpEnteGov>1</tpEnteGov><pRedutor>0.0000</pRedutor>"
     "<tpOperGov>1</tpOperGov></gCompraGov>"),
    ("<transp>", "<total><IBSCBSTot><vBCIBSCBS>750.00</vBCIBSCBS></IBSCBSTot><vNFTot>750.00</vNFTot></total>"
     "<transp>"),
    ("</transp>", "</transp><agropecuario><guiaTransito><tpGuia>1</tpGuia></guiaTransito></agropecuario>"
     "<grupoQueAindaNaoExiste><campo>1</campo></grupoQueAindaNaoExiste>"),
)  # fmt: skip


def reformed(note: v.Note) -> str:
    text = note.xml()
    for old, new in REFORM:
        assert old in text
        text = text.replace(old, new)
    return text


def test_the_groups_of_the_tax_reform_and_tags_of_the_future_are_read_over() -> None:
    document = judged(authorised(reformed(v.Note())))
    assert (codes(document), document.signature) == ([], Signature.VALID)
    assert document.invoice is not None
    assert document.invoice.references == (OTHER_KEY,)
    assert document.invoice.lines == judged(v.authorised()).invoice.lines  # type: ignore[union-attr]
    assert fast.read(authorised(reformed(v.Note()))) is not None


def test_a_reference_that_stands_elsewhere_is_none() -> None:
    text = reformed(v.Note()).replace("DFeReferenciado>", "DFeCitado>")
    document = judged(authorised(text))
    assert document.invoice is not None
    assert document.invoice.references == ()


def layout(text: str, version: str) -> str:
    return re.sub('(<infNFe) versao="[^"]*"', rf'\1 versao="{version}"', text)


def of_2_00(note: v.Note) -> str:
    """Layout 2.00: days without hours, the hour of leaving apart, the way of payment in the header."""
    text = layout(note.xml(), "2.00")
    day = note.issued_at[:10]
    return text.replace(
        f"<dhEmi>{note.issued_at}</dhEmi>",
        f"<indPag>0</indPag><dEmi>{day}</dEmi><dSaiEnt>{day}</dSaiEnt><hSaiEnt>23:59:59</hSaiEnt>",
    )


def of_1_10(note: v.Note) -> str:
    """Layout 1.10: nine digits of a random code, and no kind of emission, in the key."""
    body = note.access_key[:34] + "123456789"
    key = body + mod11(body)
    text = layout(of_2_00(note), "1.10").replace(note.access_key, key)
    text = text.replace(f"<cNF>{note.random}</cNF>", "<cNF>123456789</cNF>")
    return text.replace(f"<cDV>{note.access_key[43]}</cDV>", f"<cDV>{key[43]}</cDV>")


LAYOUTS = {
    "3.10": (layout(v.Note().xml(), "3.10"), "2026-05-14T10:01:00-04:00"),
    "2.00": (of_2_00(v.Note()), "2026-05-14T10:01:00"),
    "1.10": (of_1_10(v.Note()), "2026-05-14T10:01:00"),
}


@pytest.mark.parametrize("version", LAYOUTS)
def test_a_note_of_an_older_layout_is_read_and_told_apart(version: str) -> None:
    text, at = LAYOUTS[version]
    document = judged(authorised(text, at=at))
    assert codes(document) == []
    assert document.invoice is not None
    assert (document.invoice.layout, document.invoice.issued_on.isoformat()) == (version, "2026-05-14")


def test_a_key_of_one_layout_under_another_is_n04() -> None:
    assert codes(judged(authorised(layout(LAYOUTS["1.10"][0], "2.00")))) == ["N04"]
    assert codes(judged(authorised(layout(LAYOUTS["2.00"][0], "1.10")))) == ["N04"]


@pytest.mark.parametrize("version", ["5.00", "4.01", ""])
def test_a_layout_that_nobody_knows_is_f06(version: str) -> None:
    assert codes(judged(authorised(layout(v.Note().xml(), version)))) == ["F06"]


# ── who issues ───────────────────────────────────────────────────────────────────────────────────────


def of_series(
    series: str, issuer: str, *, in_key: str = "", office: str = "", process: str = "", version: str = "4.00"
) -> str:
    """A note of a series: `in_key` is who the key names, `office` the tax office in `avulsa`."""
    key = v.Note(series=series, issuer=in_key or issuer).access_key
    text = layout(v.Note(series=series, issuer=issuer, key_override=key).xml(), version)
    named = f"<avulsa><CNPJ>{office}</CNPJ><xOrgao>Fazenda Inventada</xOrgao><UF>MT</UF></avulsa>"
    text = text.replace("<emit>", f"{named if office else ''}<emit>")
    return text.replace("</finNFe>", f"</finNFe><procEmi>{process}</procEmi>" if process else "</finNFe>")


def of_person(number: str = PERSON) -> object:
    """The certificate of a person: their CPF at the end of its name."""
    return v.certificate("Pessoa", issuer="AC TESTE", cnpj=number, in_name=True)


BY_OFFICE = {"in_key": OFFICE, "office": OFFICE, "process": "1"}
SERIES: dict[str, tuple[str, object, list[str]]] = {
    "889, its issuer": (of_series("889", v.COOP), v.signer(), []),
    "889, the office": (of_series("889", v.COOP, office=OFFICE), v.signer(OFFICE), ["S07"]),
    "890 of a company, the office": (of_series("890", v.COOP, **BY_OFFICE), v.signer(OFFICE), []),
    "899 of a person, the office": (of_series("899", PERSON, **BY_OFFICE), v.signer(OFFICE), []),
    "890, a third party": (of_series("890", v.COOP, **BY_OFFICE), v.signer(v.OTHER), ["S07"]),
    "890, an office that the key does not name": (
        of_series("890", v.COOP, in_key=v.OTHER, office=OFFICE), v.signer(OFFICE), ["N04"],
    ),
    "890, no office in the note": (of_series("890", v.COOP, in_key=OFFICE), v.signer(OFFICE), ["N04", "S07"]),
    "890, by the seller's own program": (
        of_series("890", v.COOP, in_key=OFFICE, office=OFFICE, process="0"), v.signer(OFFICE), ["N04"],
    ),
    "900, the office": (of_series("900", v.COOP, office=OFFICE, process="1"), v.signer(OFFICE), []),
    "900, the seller": (of_series("900", v.COOP, process="2"), v.signer(), []),
    "900, the office where the seller signs": (
        of_series("900", v.COOP, office=OFFICE, process="2"), v.signer(OFFICE), ["S07"],
    ),
    "909, of a person": (of_series("909", PERSON, process="2"), of_person(), ["N04"]),
    "910 of a person, the office": (
        of_series("910", PERSON, office=OFFICE, process="1"), v.signer(OFFICE), [],
    ),
    "919 of a person, the person": (of_series("919", PERSON, process="2"), of_person(), []),
    "919 of a company": (of_series("919", v.COOP, process="2"), v.signer(), ["N04"]),
    "920 of a person, the person": (of_series("920", PERSON, process="0"), of_person(), []),
    "969 of a person, another": (of_series("969", PERSON), of_person("111444777" + "35"), ["S07"]),
    "920 of a person, the office": (of_series("920", PERSON, office=OFFICE), v.signer(OFFICE), ["S07"]),
    "920 of a company": (of_series("920", v.COOP), v.signer(), ["N04"]),
    "920 of a person, at the office's site": (of_series("920", PERSON, process="1"), of_person(), ["N04"]),
    "920 of a company, in contingency of 2.00": (of_series("920", v.COOP, version="2.00"), v.signer(), []),
}  # fmt: skip


@pytest.mark.parametrize("name", SERIES)
def test_the_series_says_who_is_in_the_key_and_who_signs(name: str) -> None:
    text, made, expected = SERIES[name]
    document = judged(authorised(text, made=made))
    assert codes(document) == expected
    assert all(PERSON not in f.found + f.expected for f in document.findings)


def test_a_key_of_another_person_is_n04_and_nobodys_number_is_repeated() -> None:
    other = "111444777" + "35"
    document = judged(authorised(of_series("920", PERSON, in_key=other), made=of_person()))
    assert codes(document) == ["N04"]
    shown = document.findings[0].found + document.findings[0].expected
    assert "emit/CPF de pessoa" in shown
    assert PERSON not in shown
    assert other not in shown


# ── the buyer's own notes ────────────────────────────────────────────────────────────────────────────


def entry(recipient: str, *, cfop: str = "1102") -> v.Note:
    return v.Note(issuer=v.MILL, recipient=recipient, direction="0", items=[v.Item(cfop=cfop)])


def without_recipient(note: v.Note) -> str:
    head, _, rest = note.xml().partition("<dest>")
    return head + rest.partition("</dest>")[2]


def test_a_note_by_the_buyer_turns_the_roles_around() -> None:
    document = judged(v.authorised(entry(v.COOP)))
    assert codes(document) == []
    assert document.invoice is not None
    assert (document.invoice.seller, document.invoice.buyer) == (v.COOP, v.MILL)
    person = judged(v.authorised(entry(PERSON)))
    assert codes(person) == []
    assert person.invoice is not None
    assert person.invoice.seller == PERSON


@pytest.mark.parametrize("recipient", [v.MILL, ""])
def test_a_days_purchases_in_one_note_ask_a_person_and_are_the_buyers_to_answer_for(recipient: str) -> None:
    note = entry(recipient or v.COOP)
    text = note.xml() if recipient else without_recipient(note)
    document = judged(authorised(text, owner=v.MILL))
    assert [(f.code, f.severity.value) for f in document.findings if f.code != "N18"] == [("N12", "review")]
    assert document.invoice is not None
    assert document.invoice.unnamed_seller
    assert (document.invoice.recipient, document.invoice.seller, document.invoice.buyer) == (
        recipient,
        v.MILL,
        v.MILL,
    )


def test_an_entry_from_another_branch_is_a_transfer_and_a_sale_to_oneself_none() -> None:
    branch = v.cnpj(v.MILL[:8] + "0002")
    refused = [judged(v.authorised(entry(branch))), judged(v.authorised(v.Note(recipient=v.COOP)))]
    for document in refused:
        assert [(f.code, f.severity.value) for f in document.findings if f.code == "N12"] == [
            ("N12", "refuse")
        ]


# ── what SEFAZ said ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("status", ["110", "301", "302", "303"])
@pytest.mark.parametrize("form", ["protocol", "answer", "answer with protocol"])
def test_a_denied_note_is_told_with_and_without_a_protocol(status: str, form: str) -> None:
    note = v.Note()
    signed = v.sign(note.xml())
    prot = v.protocol(note.access_key, v.digest_of(signed), status=status)
    said = {
        "protocol": prot,
        "answer": f"<retEnviNFe><cStat>{status}</cStat><xMotivo>Uso denegado</xMotivo></retEnviNFe>",
        "answer with protocol": f"<retConsReciNFe><cStat>104</cStat>{prot}</retConsReciNFe>",
    }[form]
    document = judged(v.proc(signed, said))
    assert (codes(document), document.status) == (["N17"], Status.DENIED)


def test_an_answer_that_only_took_the_note_in_is_no_protocol() -> None:
    signed = v.sign(v.Note().xml())
    document = judged(v.proc(signed, "<retEnviNFe><cStat>103</cStat></retEnviNFe>"))
    assert (codes(document), document.status) == (["N07"], Status.UNKNOWN)


def test_a_file_that_carries_the_cancellation_is_a_cancelled_note() -> None:
    def with_answer(kind: str, status: str, key: str) -> Document:
        told = (
            f"<retEvento><infEvento><cStat>{status}</cStat><chNFe>{key}</chNFe>"
            f"<tpEvento>{kind}</tpEvento></infEvento></retEvento></nfeProc>"
        )
        return judged(v.authorised().replace(b"</nfeProc>", told.encode()))

    key = v.Note().access_key
    seen = with_answer("110111", "135", key)
    assert (codes(seen), seen.status) == (["N10"], Status.CANCELLED)
    for other in (("110111", "501", key), ("110110", "135", key), ("110111", "135", OTHER_KEY)):
        near = with_answer(*other)
        assert (codes(near), near.status) == ([], Status.AUTHORISED)


# ── events ───────────────────────────────────────────────────────────────────────────────────────────

KEY = v.Note().access_key


@pytest.mark.parametrize("sequence", ["1", "01", "2", "20", "001"])
def test_the_sequence_in_an_events_id_has_one_to_three_digits(sequence: str) -> None:
    data = v.event(KEY, sequence=sequence)
    document = judged(data)
    assert codes(document) == []
    assert document.event is not None
    assert (document.event.sequence, document.access_key) == (int(sequence), KEY)


@pytest.mark.parametrize("kind", [
    "110110", "110130", "110140", "110150", "610130", "610131", "610600", "610614", "630690", "790700",
    "990900", "990910",
])  # fmt: skip
def test_known_events_are_read_and_are_no_cancellations(kind: str) -> None:
    document = judged(v.event(KEY, kind=kind, detail="<descEvento>Evento</descEvento>"))
    assert codes(document) == []


@pytest.mark.parametrize(
    ("kind", "owner", "author", "expected"),
    [
        ("110111", v.OTHER, v.COOP, ["S07"]), ("110111", v.COOP, v.COOP, []),
        ("210240", v.MILL, v.MILL, []), ("210240", v.OTHER, v.MILL, ["S07"]),
        ("110150", v.MILL, v.MILL, []), ("110150", v.OTHER, v.MILL, ["S07"]),
        ("610600", OFFICE, OFFICE, []), ("990900", OFFICE, v.MILL, []),
    ],
)  # fmt: skip
def test_an_event_is_signed_by_who_may_declare_it(
    kind: str, owner: str, author: str, expected: list[str]
) -> None:
    assert codes(judged(v.event(KEY, kind=kind, owner=author, made=v.signer(owner)))) == expected


def test_a_persons_cancellation_is_signed_by_that_person() -> None:
    key = v.Note(issuer=PERSON, series="920").access_key
    assert codes(judged(v.event(key, owner=PERSON, made=of_person()))) == []
    assert codes(judged(v.event(key, owner=PERSON, made=v.signer(v.OTHER)))) == ["S07"]


def test_a_cnpj_that_begins_with_zeros_is_no_person() -> None:
    """Some CNPJ are fourteen digits of which the last eleven pass as a CPF: the series tells them apart."""
    padded = "000" + PERSON
    assert codes(judged(v.event(v.Note(issuer=padded).access_key, owner=PERSON, made=of_person()))) == []
    known = "00000000" + "0001" + "91"  # passes as both: of a series of companies it is the company
    key = v.Note(issuer=known, series="1").access_key
    made = v.certificate("Outra pessoa", issuer="AC TESTE", cnpj=known[3:], in_name=True)
    assert codes(judged(v.event(key, owner=known, made=made))) == ["S07"]


def test_at_the_offices_site_anothers_signature_on_a_cancellation_is_a_doubt() -> None:
    key = v.Note(issuer=v.COOP, series="905").access_key
    document = judged(v.event(key, made=v.signer(OFFICE)))
    assert [(f.code, f.severity.value) for f in document.findings] == [("S07", "review")]


def test_of_several_answers_the_one_to_the_event_is_read() -> None:
    own, other = (
        v.event(KEY),
        v.event(KEY, kind="110110", status="501", detail="<xCorrecao>Rua B</xCorrecao>"),
    )
    answer = other[other.index(b"<retEvento") : other.index(b"</procEventoNFe>")]
    first = own.replace(b"<retEvento", answer + b"<retEvento", 1)
    last = own.replace(b"</procEventoNFe>", answer + b"</procEventoNFe>")
    inside = own.replace(b"<retEvento", b"<retEnvEvento>" + answer + b"<retEvento", 1).replace(
        b"</procEventoNFe>", b"</retEnvEvento></procEventoNFe>"
    )
    both = answer[answer.index(b"<infEvento") : answer.index(b"</retEvento>")]
    in_one = own.replace(b"</retEvento>", both + b"</retEvento>")
    for data in (first, last, inside, in_one):
        document = judged(data)
        assert (codes(document), document.event and document.event.status) == ([], "135")
    alone = own[: own.index(b"<retEvento")] + answer + b"</procEventoNFe>"
    assert codes(judged(alone)) == ["N09"]


def test_an_old_cancellation_is_judged_like_an_event() -> None:
    assert codes(judged(v.old_cancellation(KEY))) == []
    assert codes(judged(v.old_cancellation(KEY, status="220"))) == ["N09"]
    assert codes(judged(v.old_cancellation(KEY, owner=v.OTHER))) == ["S07"]
    assert codes(judged(v.old_cancellation(KEY).replace(b"Erro de", b"Erro do"))) == ["S02"]
    bare = v.old_cancellation(KEY)
    start = bare.index(b"<cancNFe")
    assert codes(judged(bare[start : bare.index(b"</cancNFe>") + 10])) == ["N01", "S05"]


def test_a_consultation_gives_its_events_and_else_says_what_it_answers() -> None:
    said = f"<cStat>302</cStat><xMotivo>Uso Denegado</xMotivo><chNFe>{KEY}</chNFe>"
    answer = f'<retConsSitNFe xmlns="{v.NFE}">{said}'
    document = judged(answer.encode() + b"</retConsSitNFe>")
    assert (document.access_key, codes(document)) == (KEY, ["N01"])
    assert "302 Uso Denegado" in document.findings[0].found
    with_old = judged(answer.encode() + v.old_cancellation(KEY) + b"</retConsSitNFe>")
    assert (with_old.event and with_old.event.type, codes(with_old)) == ("cancNFe", [])


def test_a_summary_keeps_its_key_and_stands_for_no_mass() -> None:
    document = judged(f'<resNFe xmlns="{v.NFE}"><chNFe>{KEY}</chNFe><cSitNFe>1</cSitNFe></resNFe>'.encode())
    assert (document.access_key, document.invoice, codes(document)) == (KEY, None, ["N01"])


def test_late_authorisation_is_an_authorisation() -> None:
    document = judged(v.authorised(status="150"))
    assert (codes(document), document.status) == ([], Status.AUTHORISED)
