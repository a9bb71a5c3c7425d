"""What a hostile or careless hand may do to the bytes of a signed note: the same number, the same bytes.

Run as a program it tries as many as wanted, and goes on where it was cut short:
`python -m tests.evidence.mutations --count 1000000 --log mutations.log`.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.serialization import Encoding

from lastro.engine.files import Judge, Question, unpacked
from lastro.evidence import (
    Context,
    Place,
    Source,
    authenticate,
    fast,
    fast_shapes,
    judge_source,
    read,
)
from lastro.facts import Basis, Document, Outcome, Signature
from lastro.registry.read import registry_of
from lastro.sample import sheets
from lastro.sample.note import Note
from lastro.sample.people import Cast, make_cast
from lastro.sample.pki import Signer, Wallet
from lastro.sample.seal import Dress, seal
from lastro.sample.trade import Trader, at
from tests.evidence import vectors as v

Change = Callable[[random.Random, bytes], bytes]
DRESSES = (
    Dress(),
    Dress(repeat_namespace=False),
    Dress(id_last=True),
    Dress(bom=True, declaration=""),
    Dress(broken_base64=True),
    Dress(gap="\n"),
    Dress(wrapper=f' xmlns:xsi="{fast._XSI}" xsi:schemaLocation="{v.NFE} procNFe_v4.00.xsd"'),
    Dress(cdata=True),
    Dress(references=True),
    Dress(prefix="nfe"),
    Dress(indented=True),
)


LINES = (1, 2, 4)
_STEP = 2_000
CANONICAL = 7 * len(LINES)
"""The first seven dresses leave the bytes of infNFe canonical: those are the ones that can be read fast."""


@dataclass(frozen=True)
class Original:
    """A note that is right, and who signed it."""

    data: bytes
    signer: Signer


@cache
def people() -> tuple[Cast, Wallet]:
    """Who trades, and whose keys they sign with."""
    return make_cast(5), Wallet(5)


@cache
def originals() -> tuple[Original, ...]:
    """One note for each number of lines and each dress."""
    (cast, wallet), trader, rnd = people(), Trader(5), random.Random(5)
    made = []
    operators = [o for group in cast.operators.values() for o in group]
    for dress, lines in product(DRESSES, LINES):
        operator, family = rnd.choice(operators), trader.family(rnd)
        buyer = next(r for r in cast.recyclers if family in r.families)
        when = at(v.TODAY.replace(year=2026), "10:00:00", operator)
        note: Note = trader.draft(rnd, (operator, buyer), when, family=family, count=lines)
        signer = wallet.signer(operator, note.authorised)
        made.append(Original(seal(note, signer, dress).data(), signer))
    return tuple(made)


# ── changes ──────────────────────────────────────────────────────────────────────────────────────────

_LEAF = re.compile(rb"<([A-Za-z0-9]+)>([^<]*)</\1>")
_ANY = re.compile(rb"<([A-Za-z0-9]+)(?: [^<>]*)?>.*?</\1>", re.DOTALL)
_TAG = re.compile(rb"<[^<>]*>")
_CHARS = [
    bytes([n]) for n in (0, 1, 9, 10, 11, 13, 27, 32, 34, 38, 39, 60, 62, 93, 127, 133, 160, 192, 237, 255)
] + ["é".encode(), "\u2028".encode(), "\ufffe".encode(), b"\xed\xa0\x80", "𝟙".encode(), b"0", b"9", b"A"]
_ENTITIES = (b"&amp;", b"&lt;", b"&gt;", b"&quot;", b"&apos;", b"&#13;", b"&#xD;", b"&#65;", b"&#x0;",
             b"&foo;",
             b"&", b"&amp", b"&#38;lt;", b"&amp;lt;")  # fmt: skip
_INSERTS = (b"<!--x-->", b"<?x y?>", b"<![CDATA[]]>", b"<![CDATA[1]]>", b"\n", b" ", b"\r\n", b"\t", b"x",
            b"<x/>",
            b"<x></x>", b"<x>", b"</x>", b"<x y='1'></x>", b'<x y="1"></x>', b'<x b="1" a="2"></x>', b"]]>",
            b'<x id="1"></x>', b'<x xmlns=""></x>', b'<x xmlns="urn:x">1</x>', b'<n:x xmlns:n="urn:x"></n:x>',
            b'<x xml:space="preserve"></x>', b"<!DOCTYPE x>", b'<?xml version="1.0"?>', b"\xef\xbb\xbf",
            b"<Signature></Signature>", b"<infNFe></infNFe>", b'<x y="&quot;"></x>', b'<x y="a\nb"></x>',
            b'<det nItem="9"></det>', b"<ide><cUF>11</cUF></ide>", b"<CNPJ>1</CNPJ>",
            b"<x\xc3\xa9></x\xc3\xa9>")  # fmt: skip
_IN_TAG = (b" ", b"\n", b' a="1"', b' Id="1"', b' id="1"', b' xmlns=""', b' xmlns="urn:x"',
           b' xmlns:p="urn:x"',
           b" a='1'", b"/", b' versao="4.00"', b' xml:id="1"', b' ID="1"', b' nItem="1"',
           f' xmlns="{v.NFE}"'.encode())  # fmt: skip


def _spot(rnd: random.Random, data: bytes) -> int:
    return rnd.randrange(len(data) + 1)


def _flip(rnd: random.Random, data: bytes) -> bytes:
    at = _spot(rnd, data)
    return data[:at] + rnd.choice(_CHARS) + data[at + 1 :]


def _insert(rnd: random.Random, data: bytes) -> bytes:
    at = _spot(rnd, data)
    return data[:at] + rnd.choice(_CHARS) + data[at:]


def _drop(rnd: random.Random, data: bytes) -> bytes:
    at = _spot(rnd, data)
    return data[:at] + data[at + rnd.randrange(1, 30) :]


def _repeat(rnd: random.Random, data: bytes) -> bytes:
    at = _spot(rnd, data)
    size = rnd.randrange(1, 200)
    return data[:at] + data[at : at + size] * 2 + data[at + size :]


def _found(rnd: random.Random, data: bytes, what: re.Pattern[bytes]) -> re.Match[bytes] | None:
    """Some match of an expression, looked for from a random place on."""
    return what.search(data, _spot(rnd, data)) or what.search(data)


def _at(match: re.Match[bytes] | None, data: bytes, new: Callable[[bytes], bytes]) -> bytes:
    return data[: match.start()] + new(match.group()) + data[match.end() :] if match else data


def _at_tag(rnd: random.Random, data: bytes) -> bytes:
    """Something before or after a tag."""
    extra, before = rnd.choice(_INSERTS), rnd.random() < 0.5
    return _at(_found(rnd, data, _TAG), data, lambda tag: extra + tag if before else tag + extra)


def _in_tag(rnd: random.Random, data: bytes) -> bytes:
    extra = rnd.choice(_IN_TAG)
    return _at(_found(rnd, data, _TAG), data, lambda tag: tag[:-1] + extra + b">")


def _quotes(rnd: random.Random, data: bytes) -> bytes:
    return _at(_found(rnd, data, re.compile(rb'<[^<>]*"[^<>]*>')), data, lambda t: t.replace(b'"', b"'"))


def _text(rnd: random.Random, data: bytes) -> bytes:
    """A leaf with another text, an entity, CDATA, a comment or another element in it."""
    leaf = _found(rnd, data, _LEAF)
    if leaf is None:
        return data
    name, old = leaf.groups()
    new = rnd.choice(
        (
            b"", b"0", b" " + old, old + b"\n", old * 20, b"<![CDATA[" + old + b"]]>", old + b"<!--x-->",
            old + rnd.choice(_ENTITIES), rnd.choice(_ENTITIES) + old, b"<y>" + old + b"</y>", b">" + old,
            old + b'"', old + rnd.choice(_CHARS),
        )
    )  # fmt: skip
    return _at(leaf, data, lambda _: b"<" + name + b">" + new + b"</" + name + b">")


def _shut(rnd: random.Random, data: bytes) -> bytes:
    leaf = _found(rnd, data, _LEAF)
    return _at(leaf, data, lambda _: b"<" + leaf[1] + b"/>") if leaf else data


def _rename(rnd: random.Random, data: bytes) -> bytes:
    leaf = _found(rnd, data, _LEAF)
    if leaf is None:
        return data
    name = rnd.choice(
        (b"n:" + leaf[1], leaf[1] + b"x", b"CNPJ", b"CPF", b"vProd", b"pesoL", b"det", b"-x", b"1x")
    )
    return _at(leaf, data, lambda _: b"<" + name + b">" + leaf[2] + b"</" + name + b">")


def _move(rnd: random.Random, data: bytes) -> bytes:
    """An element taken away, and put somewhere, or kept in both places."""
    element, keep = _found(rnd, data, rnd.choice((_LEAF, _ANY))), rnd.random() < 0.5
    if element is None:
        return data
    rest = data if keep else data[: element.start()] + data[element.end() :]
    other = _found(rnd, rest, _TAG)
    return _at(other, rest, lambda tag: tag + element.group())


def _wrap(rnd: random.Random, data: bytes) -> bytes:
    name = rnd.choice((b"x", b"NFe", b"infNFe", b"Object", b"det", b"nfeProc"))
    element = _found(rnd, data, rnd.choice((_LEAF, _ANY)))
    return _at(element, data, lambda e: b"<" + name + b">" + e + b"</" + name + b">")


def _namespace(rnd: random.Random, data: bytes) -> bytes:
    new = rnd.choice((b"", b"urn:x", v.NFE.encode() + b"/", v.DS.encode(), v.NFE.upper().encode(), b"nfe"))
    old = rnd.choice((v.NFE.encode(), v.DS.encode()))
    return _at(_found(rnd, data, re.compile(re.escape(old))), data, lambda _: new)


def _forged_first(rnd: random.Random, data: bytes) -> bytes:
    """Signature wrapping: a forged note where the signed one stood, which is kept somewhere else."""
    note = re.search(rb"<NFe.*</NFe>", data, re.DOTALL)
    info = re.search(rb"<infNFe.*?</infNFe>", data, re.DOTALL)
    if note is None or info is None:
        return data
    forged = _text(rnd, info.group())
    if rnd.random() < 0.5:
        forged = forged.replace(b'Id="NFe', b'Id="NFf', 1)
    places = (
        lambda n: n.replace(info.group(), forged + info.group(), 1),
        lambda n: n.replace(info.group(), info.group() + forged, 1),
        lambda n: n.replace(info.group(), forged, 1).replace(
            b"</Signature>", b"<Object>" + info.group() + b"</Object></Signature>", 1
        ),
        lambda n: n.replace(info.group(), forged, 1) + n,
        lambda n: n + n.replace(info.group(), forged, 1),
    )
    return data.replace(note.group(), rnd.choice(places)(note.group()), 1)


def _base64(rnd: random.Random, data: bytes) -> bytes:
    """The same, or nearly the same, base64 in other characters."""
    name = rnd.choice((b"SignatureValue", b"X509Certificate", b"DigestValue", b"digVal"))
    text = re.search(b"<" + name + b">([^<]*)</", data)
    if text is None or not text[1]:
        return data
    old, at = text[1], rnd.randrange(len(text[1]))
    new = rnd.choice(
        (
            old[:at] + b"\n" + old[at:], old[:at] + b" " + old[at:], old[:at] + b"\n\n" + old[at:],
            b"\n" + old + b"\n",
            old + b"=", old.rstrip(b"="), old[:at] + b"=" + old[at:], old[:at] + b"-" + old[at + 1 :],
            re.sub(rb".(?==)", rnd.choice((b"A", b"B", b"Q", b"g")), old), old[:at] + b"&#10;" + old[at:],
            old[:at] + b"\r\n" + old[at:], b"", old[:at], old[:at] + b"A" + old[at + 1 :], old + old,
        )
    )  # fmt: skip
    return data[: text.start(1)] + new + data[text.end(1) :]


def _algorithm(rnd: random.Random, data: bytes) -> bytes:
    old, new = rnd.choice(
        (
            (b"rsa-sha1", b"rsa-sha256"), (b"#sha1", b"#sha256"), (b"enveloped-signature", b"base64"),
            (b"REC-xml-c14n-20010315", b"REC-xml-c14n-20010315#WithComments"), (b'URI="#NFe', b'URI="#NFE'),
            (b'URI="#', b'URI="'), (b"/><Transform ", b"></Transform><Transform "), (b'"/>', b'" />'),
            (b"<KeyInfo>", b'<KeyInfo Id="k">'), (b"<X509Data>", b"<KeyName>x</KeyName><X509Data>"),
            (b"<SignedInfo>", f'<SignedInfo xmlns="{v.DS}">'.encode()), (b"<Signature ",
            b'<Signature Id="s" '),
        )
    )  # fmt: skip
    return data.replace(old, new, rnd.choice((1, -1)))


def _identity(rnd: random.Random, data: bytes) -> bytes:
    """The note's own Id on some other element too, or in some other spelling."""
    found = re.search(rb'Id="(NFe[^"]*)"', data)
    if found is None:
        return data
    name = rnd.choice((b"Id", b"id", b"ID", b"xml:id", b"iD"))
    extra = b" " + name + b'="' + found[1] + b'"'
    where = re.compile(rb'<infProt Id="[^"]*">') if rnd.random() < 0.3 else _TAG
    return _at(
        _found(rnd, data, where), data, lambda tag: re.sub(rb' Id="[^"]*"', b"", tag)[:-1] + extra + b">"
    )


def _whole(rnd: random.Random, data: bytes) -> bytes:
    return rnd.choice(
        (
            b"\xef\xbb\xbf" + data, b"\n" + data, data + b"\n", data + b"\0", data + data, data + b"<x/>",
            data.decode("utf-8", "replace").encode("utf-16"), data.decode("utf-8",
            "replace").encode("latin-1", "replace"),
            data.replace(b"UTF-8", b"utf-8", 1), data.replace(b"UTF-8", b"ISO-8859-1", 1),
            data.replace(b"><", b">\n<"),
            data.replace(b'<?xml version="1.0" encoding="UTF-8"?>', b'<?xml version="1.1"?>', 1),
            data + b"<!--x-->",
            re.sub(rb"(<\?xml[^>]*>)?", rb'\1<!DOCTYPE x [<!ENTITY e "1">]>', data, count=1),
            data[: len(data) // 2],
            data.replace(b"\n", b"\r\n"), data + b"\v", data.replace(b'?>', b' ?>', 1),
        )
    )  # fmt: skip


CHANGES: tuple[Change, ...] = (
    _flip, _flip, _insert, _drop, _repeat, _at_tag, _at_tag, _in_tag, _in_tag, _quotes, _text, _text, _text,
    _shut,
    _rename, _move, _move, _wrap, _namespace, _forged_first, _base64, _algorithm, _identity, _whole,
)  # fmt: skip
_INSIDE = (
    _flip,
    _insert,
    _drop,
    _repeat,
    _at_tag,
    _in_tag,
    _quotes,
    _text,
    _shut,
    _rename,
    _move,
    _wrap,
    _identity,
)


def sign_again(data: bytes, signer: Signer) -> bytes:
    """The note signed as it stands now, whatever its bytes are: what a dishonest signer can always do."""
    info = re.search(rb"<infNFe([^<>]*)>(.*)</infNFe>", data, re.DOTALL)
    identity = re.search(rb'Id="([^"]*)"', info[1]) if info else None
    layout = re.search(rb'versao="([^"]*)"', info[1]) if info else None
    if info is None or identity is None or layout is None:
        return data
    start = b'<infNFe xmlns="%b" Id="%b" versao="%b">' % (v.NFE.encode(), identity[1], layout[1])
    digest = base64.b64encode(hashlib.sha1(start + info[2] + b"</infNFe>").digest())
    value = signer.sign(fast._SIGNED_INFO % (identity[1], digest)).encode()
    for name, new in ((b"DigestValue", digest), (b"digVal", digest), (b"SignatureValue", value)):
        data = re.sub(b"<" + name + b">[^<]*</", b"<" + name + b">" + new + b"</", data, count=1)
    return data


def mutated(number: int) -> tuple[Original, bytes, bool]:
    """The change of a number: the note it began with, the bytes, and whether they were signed again."""
    rnd = random.Random(f"mutation {number}")
    every = originals()
    original = rnd.choice(every[:CANONICAL] if rnd.random() < 0.8 else every)
    again = rnd.random() < 0.5
    data = original.data
    for _ in range(rnd.choice((1, 1, 1, 2, 3))):
        start, end = data.find(b">", data.find(b"<infNFe")) + 1, data.find(b"</infNFe>")
        if again and 0 < start < end:
            data = data[:start] + rnd.choice(_INSIDE)(rnd, data[start:end]) + data[end:]
        else:
            data = rnd.choice(CHANGES)(rnd, data)
    return original, sign_again(data, original.signer) if again else data, again


# ── what must hold ───────────────────────────────────────────────────────────────────────────────────


@cache
def judge() -> Judge:
    """A judge under a norm, for an entity of the market, that met each note before it was changed."""
    cast, wallet = people()
    roots = tuple(c.certificate.public_bytes(Encoding.DER) for c in (wallet.root, wallet.intermediate))
    parties = registry_of("cadastro.json", sheets.registry(cast))
    question = Question("mt/decreto_1455_2025", 2026, cast.entities[0].cnpj, parties)
    made = Judge(Context(today=v.TODAY, trust=roots, basis=Basis.TEST), question)
    for _ in range(2):
        made([Source("nota.xml", None, original.data) for original in originals()])
    return made


@cache
def _before(original: Original) -> Document:
    (document,) = judge_source(Source("nota.xml", None, original.data), judge().context)
    return document


def wrong(number: int) -> tuple[str, str]:
    """What happened to the mutation of a number, and what is wrong with that; empty where nothing is."""
    original, data, again = mutated(number)
    source, context = Source("nota.xml", None, data), judge().context
    place = Place("nota.xml", None, hashlib.sha256(data).hexdigest())
    try:
        plain, long = fast.read(data), read(data)
        documents = [authenticate(reading, place=place, context=context) for reading in long]
    except Exception as raised:  # no way may raise, whatever the bytes
        return "raised", f"{number}: {type(raised).__name__}: {raised}"
    kind = ("signed again, " if again else "") + ("fast" if plain else "long")
    if plain is not None and [plain] != long:
        return kind, f"{number}: the two ways differ"
    if plain is not None:  # else every note goes the long way, and there is nothing to compare
        slowly = [(document, judge().ask(document)) for document in documents]
        if list(unpacked(judge()([source]).answers)) != slowly:
            return kind, f"{number}: what a note shares with others gave it another answer"
    if again:
        return kind, ""
    for document in documents:
        stands = document.signature in (Signature.VALID, Signature.REFORMATTED)
        same = (document.content_digest, document.invoice) == (
            _before(original).content_digest, _before(original).invoice,
        )  # fmt: skip
        if not same and (stands or judge().ask(document).outcome is Outcome.ADMITTED):
            return kind, f"{number}: other content, and it is said to stand"
    return kind, ""


def run(first: int, count: int) -> tuple[Counter[str], list[str]]:
    """Try so many mutations; what was tried, and everything that is wrong."""
    fast_shapes._WORTH_AN_EXPRESSION = 1  # else a change that is met once would never be read the fast way
    for original in originals():
        fast.read(original.data)
    tried: Counter[str] = Counter()
    found = []
    for number in range(first, first + count):
        kind, what = wrong(number)
        tried[kind] += 1
        if what:
            found.append(what)
    return tried, found


def main() -> None:
    parser = argparse.ArgumentParser(description="Muda notas assinadas e compara os dois caminhos.")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--log", type=Path, help="um registro por trecho; o que já está nele não se repete")
    call = parser.parse_args()
    done = _logged(call.log)
    parts = [
        (start, min(_STEP, call.first + call.count - start))
        for start in range(call.first, call.first + call.count, _STEP)
    ]
    tried = sum((Counter(done[part]["tried"]) for part in parts if part in done), Counter[str]())
    bad = [what for part in parts if part in done for what in done[part]["wrong"]]
    left = [part for part in parts if part not in done]
    with ProcessPoolExecutor(call.workers) as pool:
        results = pool.map(run, [first for first, _ in left], [count for _, count in left])
        for part, (kinds, found) in zip(left, results, strict=True):
            tried += kinds
            bad += found
            _log(call.log, part, kinds, found)
            done_so_far = f"{sum(tried.values())} mutações, {len(bad)} erradas"
            print(f"\r{done_so_far}", end="", file=sys.stderr, flush=True)
    print(f"{sum(tried.values())} mutações: {dict(tried)}; erradas: {len(bad)}")
    for what in bad[:20]:
        print(what)
    raise SystemExit(1 if bad else 0)


def _logged(file: Path | None) -> dict[tuple[int, int], dict[str, Any]]:
    """What an earlier run that was cut short wrote down, by the part it tried."""
    if file is None or not file.exists():
        return {}
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.endswith("}")]
    return {(row["first"], row["count"]): row for row in rows}


def _log(file: Path | None, part: tuple[int, int], tried: Counter[str], wrong: list[str]) -> None:
    if file is not None:
        row = {"first": part[0], "count": part[1], "tried": tried, "wrong": wrong}
        with file.open("a", encoding="utf-8") as opened:
            opened.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
