"""A common note judged by what it shares with others gets the answer of the long way, or none here."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import Encoding

from lastro.engine.files import Judge, Question, pack, unpacked
from lastro.evidence import Context, Source, fast_lines, fast_shapes, sources
from lastro.evidence.fast_rows import Row, gist_of_row, made
from lastro.evidence.judge import judge_source
from lastro.evidence.together import gist_of
from lastro.facts import Basis, Document, Verdict
from lastro.registry.read import registry_of
from lastro.sample import sheets
from lastro.sample.people import Cast, Party
from lastro.sample.pki import Signer, Wallet
from lastro.sample.seal import seal
from lastro.sample.trade import Trader, at
from lastro.sample.world import build_world
from lastro.trust import load
from tests.evidence import mutations as m

TODAY = date(2026, 12, 31)
NORM = "mt/decreto_1455_2025"
COUNT = 40


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A part is learned when it is first met, so that one reading is enough."""
    monkeypatch.setattr(fast_shapes, "_WORTH_AN_EXPRESSION", 1)


@cache
def _cast() -> tuple[Cast, Wallet]:
    from lastro.sample.people import make_cast

    return make_cast(11), Wallet(11)


@cache
def _notes() -> tuple[tuple[bytes, Signer], ...]:
    """Ordinary notes of a few sellers, each seller more than once."""
    cast, wallet = _cast()
    rnd, trader = random.Random(11), Trader(11)
    entity = cast.entities[0]
    made = []
    for number in range(COUNT):
        seller = cast.operators[entity.cnpj][number % 3]
        buyers: list[Party] = [r for r in cast.recyclers if "paper" in r.families]
        when = at(date(2026, 3, 2 + number % 20), "10:00:00", seller)
        note = trader.draft(rnd, (seller, buyers[0]), when, family="paper", count=1 + number % 3)
        signer = wallet.signer(seller, note.authorised)
        made.append((seal(note, signer).data(), signer))
    return tuple(made)


@cache
def _judge() -> Judge:
    """A judge that has seen every ordinary note twice, and so knows their parts."""
    cast, wallet = _cast()
    parties = registry_of("cadastro.json", sheets.registry(cast))
    question = Question(NORM, 2026, cast.entities[0].cnpj, parties)
    roots = tuple(c.certificate.public_bytes(Encoding.DER) for c in (wallet.root, wallet.intermediate))
    judge = Judge(Context(today=TODAY, trust=roots, basis=Basis.TEST), question)
    for _ in range(2):
        for data, _ in _notes():
            list(judge._of(_source(data)))
    return judge


def _source(data: bytes) -> Source:
    return Source("lote.zip", "nota.xml", data)


def _slowly(judge: Judge, source: Source) -> list[tuple[Document, Verdict]]:
    return [(document, judge.ask(document)) for document in judge_source(source, judge.context)]


def _here(judge: Judge, source: Source) -> tuple[bool, list[tuple[Document, Verdict]]]:
    """Whether a row was made, and the answers however they came."""
    answers = list(judge._of(source))
    row = any(isinstance(a, Row) for a in answers)
    said = judge.plain.said if judge.plain else ()
    return row, [made(a, said) if isinstance(a, Row) else a for a in answers]


def test_ordinary_notes_become_rows_that_say_what_the_long_way_says() -> None:
    judge = _judge()
    for data, _ in _notes():
        row, answers = _here(judge, _source(data))
        assert row
        assert answers == _slowly(judge, _source(data))


def test_a_row_means_to_other_files_what_its_document_means() -> None:
    judge = _judge()
    for data, _ in _notes():
        (row,) = judge._of(_source(data))
        assert isinstance(row, Row)
        assert gist_of_row(row) == gist_of(*_slowly(judge, _source(data))[0])


def test_rows_and_other_answers_come_out_of_the_pack_in_their_order() -> None:
    judge = _judge()
    good, broken = _source(_notes()[0][0]), Source("quebrada.xml", None, b"<NFe>")
    chunk = [good, broken, good]
    expected = [answer for source in chunk for answer in _slowly(judge, source)]
    assert list(unpacked(judge(chunk).answers)) == expected
    assert list(unpacked(pack(expected).answers)) == expected


def test_a_first_note_goes_the_long_way_and_teaches_the_rest() -> None:
    known = _judge()
    judge = Judge(known.context, known.question)
    rows = [_here(judge, _source(data))[0] for data, _ in _notes()]
    assert not rows[0]
    assert COUNT > sum(rows) > 5


def test_what_is_learned_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast_lines, "MOST_KNOWN", 2)
    known = _judge()
    judge = Judge(known.context, known.question)
    for data, _ in _notes():
        assert _here(judge, _source(data))[1] == _slowly(judge, _source(data))
    plain = judge.plain
    assert plain is not None
    assert max(map(len, (plain._sellers, plain._buyers, plain._changes, plain._days, plain._signers))) <= 2


@pytest.mark.parametrize(
    "question",
    [
        Question(),
        Question(NORM, 2026),
        Question(NORM, 2026, "ZZG3ST03000189"),
    ],
)
def test_nothing_is_plain_where_the_question_leaves_something_open(question: Question) -> None:
    assert Judge(_judge().context, question).plain is None


# ── one text changed, and signed again ───────────────────────────────────────────────────────────────


def _changed(name: str, new: Callable[[str], str], data: bytes, signer: Signer) -> bytes:
    """The note with one text of its content or protocol changed everywhere, signed as it now stands."""
    text = data.decode()
    text = re.sub(rf"(<(?:\w+:)?{name}>)([^<]*)(</{name}>)", lambda t: t[1] + new(t[2]) + t[3], text)
    return m.sign_again(text.encode(), signer)


def _moved(days: int) -> Callable[[str], str]:
    return lambda old: f"{date.fromisoformat(old[:10]).replace(day=1 + days)}{old[10:]}"


CHANGES: dict[str, list[Callable[[str], str]]] = {
    "qCom": [
        lambda q: f"{int(float(q) * 1000)}.0000",
        lambda q: "0.0000",
        lambda q: "-" + q,
        lambda q: "+" + q,
        lambda q: " " + q,
        lambda q: q + "1",
        lambda q: q.replace(".", ","),
        lambda q: q.partition(".")[0] + ".",
        lambda q: "." + q.partition(".")[2],
        lambda q: "",
        lambda q: "1e3",
        lambda q: "٣.0000",
        lambda q: "9" * 30,
        lambda q: "0.00000001",
    ],
    "qTrib": [lambda q: f"{q}1", lambda q: "0", lambda q: "1.0000", lambda q: "", lambda q: "x"],
    "vProd": [lambda p: "0.00", lambda p: "999999999.99", lambda p: "0.01", lambda p: "", lambda p: "1,00"],
    "uCom": [lambda u: "T", lambda u: "MT", lambda u: "UN", lambda u: " KG", lambda u: "kg ", lambda u: "G"],
    "uTrib": [lambda u: "T", lambda u: "UN", lambda u: ""],
    "NCM": [lambda n: "72044900", lambda n: "84713012", lambda n: n[:4], lambda n: ""],
    "CFOP": [lambda c: "5949", lambda c: "1102", lambda c: "5202", lambda c: "6102", lambda c: "5910"],
    "xProd": [lambda x: "SUCATA DE COBRE", lambda x: x + " AEROSSOL", lambda x: f" {x}", lambda x: ""],
    "indTot": [lambda i: "0"],
    "tpNF": [lambda t: "0"],
    "finNFe": [lambda f: "2", lambda f: "4", lambda f: "3", lambda f: "5"],
    "natOp": [lambda n: "DEVOLUCAO", lambda n: "REMESSA PARA BENEFICIAMENTO"],
    "tpAmb": [lambda t: "2"],
    "serie": [lambda s: "890", lambda s: "2", lambda s: "920"],
    "nNF": [lambda n: "1", lambda n: "0" + n, lambda n: ""],
    "cNF": [lambda c: "00000001", lambda c: c[1:]],
    "cDV": [lambda c: str((int(c) + 1) % 10)],
    "mod": [lambda c: "65"],
    "tpEmis": [lambda c: "9"],
    "procEmi": [lambda c: "3"],
    "dhEmi": [
        _moved(27), lambda d: d.replace("2026", "2025", 1), lambda d: d.replace("2026", "2027", 1),
        lambda d: d[:10], lambda d: d.replace("T", " "), lambda d: "ontem", lambda d: d[:-6],
    ],
    "dhRecbto": [
        _moved(27), lambda d: d.replace("2026", "2019", 1), lambda d: d.replace("2026", "2036", 1),
        lambda d: d[:-6], lambda d: d[:10], lambda d: "", lambda d: "x" * 25,
    ],
    "cStat": [lambda c: "150", lambda c: "101", lambda c: "302", lambda c: "", lambda c: " 100"],
    "chNFe": [lambda k: k[::-1], lambda k: "", lambda k: f" {k}"],
    "digVal": [lambda k: "A" * 27 + "=", lambda k: "", lambda k: f" {k} "],
    "pesoL": [lambda p: "1.000", lambda p: "", lambda p: f"{p}0", lambda p: f"{p}1"],
    "pesoB": [lambda p: "1.000", lambda p: "0", lambda p: "", lambda p: f" {p}"],
    "xNome": [lambda x: "OUTRO NOME", lambda x: f" {x} ", lambda x: "A &amp; B"],
    "cMun": [lambda c: "5103403", lambda c: "9999999", lambda c: ""],
    "UF": [lambda u: "SP"],
    "placa": [lambda p: "", lambda p: "XXX0000"],
    "infCpl": [lambda p: "MTR 123456789012", lambda p: f"  {p}"],
    "modFrete": [lambda f: "9"],
}  # fmt: skip


def _cases() -> Iterator[tuple[str, int]]:
    for name, changes in CHANGES.items():
        yield from ((name, n) for n in range(len(changes)))


@pytest.mark.parametrize(("name", "number"), list(_cases()))
def test_one_text_changed_and_signed_again_gets_the_answer_of_the_long_way(name: str, number: int) -> None:
    judge = _judge()
    for data, signer in _notes()[:6]:
        changed = _source(_changed(name, CHANGES[name][number], data, signer))
        for _ in range(2):
            assert _here(judge, changed)[1] == _slowly(judge, changed)


def _of_both(name: str) -> Callable[[bytes, Signer], bytes]:
    def swap(data: bytes, signer: Signer) -> bytes:
        other = re.search(rb"<emit><CNPJ>([^<]*)<", _notes()[1][0])
        assert other is not None
        text = re.sub(rb"(<%b><CNPJ>)[^<]*" % name.encode(), rb"\g<1>" + other[1], data, count=1)
        return m.sign_again(text, signer)

    return swap


def _key_changed(place: int) -> Callable[[bytes, Signer], bytes]:
    def change(data: bytes, signer: Signer) -> bytes:
        key = re.search(rb'Id="NFe([0-9A-Z]{44})"', data)
        assert key is not None
        digit = b"1" if key[1][place : place + 1] == b"0" else b"0"
        new = key[1][:place] + digit + key[1][place + 1 :]
        return m.sign_again(data.replace(key[1], new), signer)

    return change


def _replaced(old: bytes, new: bytes) -> Callable[[bytes, Signer], bytes]:
    return lambda data, signer: m.sign_again(data.replace(old, new), signer)


OTHERWISE = {
    "another seller": _of_both("emit"),
    "the buyer is a seller": _of_both("dest"),
    **{f"key, character {n + 1}": _key_changed(n) for n in (0, 2, 4, 8, 19, 21, 24, 30, 34, 38, 43)},
    "names another note": _replaced(b"</ide>", b"<NFref><refNFe>1</refNFe></NFref></ide>"),
    "numbered oddly": _replaced(b'nItem="1"', b'nItem="7"'),
    "another layout": _replaced(b'versao="4.00"', b'versao="3.10"'),
    "signed by another seller": lambda data, signer: m.sign_again(data, _notes()[1][1]),
}


@pytest.mark.parametrize("change", OTHERWISE.values(), ids=OTHERWISE)
def test_a_note_that_differs_in_more_gets_the_answer_of_the_long_way(
    change: Callable[[bytes, Signer], bytes],
) -> None:
    judge = _judge()
    for data, signer in _notes()[:6]:
        changed = _source(change(data, signer))
        for _ in range(2):
            assert _here(judge, changed)[1] == _slowly(judge, changed)


def test_every_fault_of_the_invented_year_gets_the_answer_of_the_long_way(tmp_path: Path) -> None:
    world = build_world(tmp_path, seed=7, notes=60)
    parties = registry_of("cadastro.json", (world.out / "cadastro.json").read_bytes())
    roots = load(world.out / "trust")
    context = Context(today=TODAY, trust=roots.certificates, basis=Basis.TEST)
    rows = 0
    for entity in world.entities:
        judge = Judge(context, Question(NORM, 2026, entity.cnpj, parties))
        for source in [*sources([world.out])] * 2:
            row, answers = _here(judge, source)
            assert answers == _slowly(judge, source)
            rows += row
    assert rows > 60


LIES = [
    {"uf": "52"}, {"series": "002"}, {"series": "890"}, {"series": "905"}, {"model": "65"}, {"emission": "9"},
    {"cnpj": "another's"},
]  # fmt: skip


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: next(iter(lie)))
def test_a_key_that_says_otherwise_in_any_part_is_seen(lie: dict[str, str]) -> None:
    """The digit of the key is right for what it says, and the rest of the note was met before."""
    judge, (cast, wallet) = _judge(), _cast()
    first, second = cast.operators[cast.entities[0].cnpj][:2]
    buyer = next(r for r in cast.recyclers if "paper" in r.families)
    when = at(date(2026, 3, 2), "10:00:00", first)
    note = Trader(11).draft(random.Random(11), (first, buyer), when, family="paper", count=1)
    told = {"cnpj": second.cnpj} if "cnpj" in lie else lie
    plain, lied = (replace(note, key_parts=parts) for parts in ({}, told))
    signer = wallet.signer(first, note.authorised)
    honest, data = seal(plain, signer).data(), seal(lied, signer).data()
    assert _here(judge, _source(honest))[0]
    row, answers = _here(judge, _source(data))
    assert not row
    assert answers == _slowly(judge, _source(data))
    assert "N04" in {f.code for f in answers[0][1].findings}
