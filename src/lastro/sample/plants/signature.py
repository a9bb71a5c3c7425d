"""Who signed, with what, and what was done to the file afterwards (S01 to S09)."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace

from lastro.sample.bench import Bench
from lastro.sample.faults import Fault
from lastro.sample.note import Note
from lastro.sample.people import ALWAYS, Party
from lastro.sample.pki import Signer, leaf
from lastro.sample.plants.registry import mutation
from lastro.sample.seal import Dress, Sealed, seal
from lastro.sample.trade import at

_VALUE = re.compile(r"(?<=<SignatureValue>)[^<]+")


@mutation
def unsigned(bench: Bench, fault: Fault) -> None:
    """No signature: taken out, made a comment, or only pasted as text."""
    entity = bench.entity()
    note = bench.draft(entity)
    way = fault.params["way"]
    if way == "pasted":
        text = re.sub(r"<X509Certificate>.*</X509Certificate>", "", bench.seal(note).signature)
        note = replace(note, remarks=f"Assinatura: {text}")
    sealed = bench.seal(note, Dress(prefix="nfe") if way == "prefixed" else Dress())
    left = f"<!--{sealed.signature}-->" if way == "comment" else ""
    bench.put(fault, entity, note, replace(sealed, signature=left).data())


@mutation
def dressed(bench: Bench, fault: Fault) -> None:
    """A right note in a writer's own style."""
    entity = bench.entity()
    bench.note(fault, entity, bench.draft(entity), Dress(**fault.params["dress"]))


def _more(match: re.Match[str]) -> str:
    digit = int(match[2])
    return f"{match[1]}{digit + 1 if digit < 9 else 8}{match[3]}"


def _altered(info: str, field: str) -> str:
    if field == "quantity":
        return re.sub(r"(<(?:qCom|qTrib)>)(\d)([^<]*)", _more, info)
    if field == "plate":
        return re.sub(r"(?<=<placa>)[A-Z]{3}", lambda m: "QQQ" if m[0] != "QQQ" else "QQR", info)
    if field == "day":
        return re.sub(r"(?<=Emi>)(\d{4}-\d\d)-\d\d|(?<=Ent>)(\d{4}-\d\d)-\d\d", _second, info)
    return re.sub(
        r"(?<=<xNome>)[^<]+", lambda m: m[0].translate(str.maketrans("ÃÇÉÍÓÕÁÂÊÔÚ", "ACEIOOAAEOU")), info
    )


def _second(match: re.Match[str]) -> str:
    return f"{match[1] or match[2]}-02"


@mutation
def altered(bench: Bench, fault: Fault) -> None:
    """The content was changed after it was signed."""
    entity = bench.entity()
    operator = next(o for o in bench.cast.operators[entity.cnpj] if "CATADORES" in o.name)
    issued = at(dt.date(2026, 1 + bench.rnd.randrange(12), 20), "10:15:00", operator)
    note = bench.draft(entity, operator=operator, issued=issued)
    if fault.params["field"] == "quantity":
        heavy = replace(
            note.lines[0], unit="KG", quantity="2150.0000", price="1.1000", tax_quantity="2150.0000"
        )
        note = replace(note, lines=(replace(heavy, mass_mg=2150 * 10**6),), gross=False)
    elif fault.params["field"] == "name":
        note = replace(
            note, issuer=replace(operator, name=f"COOPERATIVA DE CATADORES DA REGIÃO {operator.cnpj}")
        )
    sealed = bench.seal(note)
    info = _altered(sealed.info, fault.params["field"])
    assert info != sealed.info
    bench.put(fault, entity, note, replace(sealed, info=info).data())


def _flip(value: str) -> str:
    middle = len(value) // 2
    return value[:middle] + ("A" if value[middle] != "A" else "B") + value[middle + 1 :]


def _resigned(sealed: Sealed, value: str) -> Sealed:
    return replace(sealed, signature=_VALUE.sub(lambda _: value, sealed.signature, count=1))


def _value(sealed: Sealed) -> str:
    found = _VALUE.search(sealed.signature)
    assert found
    return found[0]


@mutation
def wrong_value(bench: Bench, fault: Fault) -> None:
    """The digest fits the content, the signature's value does not fit the digest."""
    entity = bench.entity()
    note = bench.draft(entity)
    sealed = bench.seal(note)
    way = fault.params["way"]
    if way == "flipped":
        sealed = _resigned(sealed, _flip(_value(sealed)))
    elif way == "other_certificate":
        signer = bench.signer(note)
        other = leaf(note.issuer, bench.wallet.other_key(signer), _span(signer), bench.wallet.intermediate)
        sealed = replace(
            sealed, signature=sealed.signature.replace(signer.certificate_base64, other.certificate_base64)
        )
    elif way == "borrowed":
        other_note = bench.draft(entity, operator=note.issuer)
        sealed = _resigned(sealed, _value(bench.seal(other_note)))
    else:  # whoever changed the content repaired both digests and lacked only the key
        changed = bench.seal(replace(note, remarks="Observação trocada depois da assinatura."))
        sealed = _resigned(changed, _value(sealed))
    bench.put(fault, entity, note, sealed.data())


def _span(signer: Signer) -> tuple[dt.datetime, dt.datetime]:
    return signer.certificate.not_valid_before_utc, signer.certificate.not_valid_after_utc


def _custom(
    bench: Bench, note: Note, span: tuple[dt.datetime, dt.datetime], issuer: Signer | None = None
) -> Signer:
    number = sum(note.issuer.cnpj.encode())
    return leaf(note.issuer, bench.wallet.key(number), span, issuer or bench.wallet.intermediate)


@mutation
def chained_to(bench: Bench, fault: Fault) -> None:
    """The signer's certificate was issued by somebody: trusted, or a stranger who bears the same names."""
    entity = bench.entity()
    note = bench.draft(entity)
    wallet = bench.wallet
    span = wallet.span(note.issuer, note.authorised)
    issuers = {
        "strange_root": wallet.strange_root,
        "strange_intermediate": wallet.strange_intermediate,
        "second_intermediate": wallet.second_intermediate,
        "root": wallet.root,
    }
    issuer = issuers.get(fault.params["issuer"])
    if issuer is None:  # its own authority
        first = _custom(bench, note, span)
        issuer = Signer(first.key, first.certificate)
    bench.put(fault, entity, note, seal(note, _custom(bench, note, span, issuer)).data())


@mutation
def certificate_validity(bench: Bench, fault: Fault) -> None:
    """The certificate's days against the moment of authorisation; a year's span, set in hours from it."""
    entity = bench.entity()
    note = bench.draft(entity)
    note = replace(note, authorised=note.issued + dt.timedelta(hours=int(fault.params.get("delay_hours", 0))))
    moment = note.authorised.astimezone(dt.UTC)
    shift = dt.timedelta(hours=fault.params["hours"])
    year = dt.timedelta(days=365)
    span = (moment + shift - year, moment + shift) if fault.params["edge"] == "end" else (moment + shift,) * 2
    if fault.params["edge"] == "start":
        span = (span[0], span[0] + year)
    bench.put(fault, entity, note, seal(note, _custom(bench, note, span)).data())


@mutation
def signed_by(bench: Bench, fault: Fault) -> None:
    """Somebody else's certificate, otherwise good, signs the note."""
    entity = bench.entity()
    note = bench.draft(entity)
    who = {"recipient": note.recipient, "entity": entity, "verifier": bench.cast.verifiers[0]}
    signer = bench.wallet.signer(who[fault.params["who"]], note.authorised)
    bench.put(fault, entity, note, seal(note, signer).data())


def branch_of(
    bench: Bench, entity: Party, *, licences: tuple[str, str] = ("2028-12-31", "2028-12-31")
) -> Party:
    """An operator's second establishment; its first is listed beside it and not vetted."""
    first = bench.newcomer(licence_to=licences[0])
    second = bench.cast.operator("picker_entity", first.place, entity, spans=ALWAYS, root=first.root)
    second = replace(second, name=first.name, licence_to=licences[1])
    bench.cast.others.append(second)
    return second


@mutation
def signed_by_head_office(bench: Bench, fault: Fault) -> None:
    """The head office's certificate signs for the branch, as the law allows."""
    entity = bench.entity()
    branch = branch_of(bench, entity)
    note = bench.draft(entity, operator=branch)
    head = next(o for o in bench.cast.others if o.root == branch.root and o.cnpj != branch.cnpj)
    signer = bench.wallet.signer(head, note.authorised)
    bench.put(fault, entity, note, seal(note, signer).data())


@mutation
def reformatted(bench: Bench, fault: Fault) -> None:
    """Some program laid the file out anew after it was signed."""
    entity = bench.entity()
    note = bench.draft(entity)
    sealed = bench.seal(note)
    way = fault.params["way"]
    if way == "indented":
        text = _indent(sealed.text())
    elif way == "crlf_tabs":
        text = sealed.text().replace("><", ">\r\n\t<")
    else:  # only the goods
        text = re.sub(r"<det .*</det>", lambda m: m[0].replace("><", ">\n<"), sealed.text())
    bench.put(fault, entity, note, text.encode())


def _indent(text: str) -> str:
    depth = 0
    pieces = []
    for piece in text.replace("><", ">\0<").split("\0"):
        if piece.startswith("</"):
            depth -= 1
        pieces.append("  " * depth + piece)
        whole = piece.endswith("/>") or piece.startswith("<?") or "</" in piece
        if not whole:
            depth += 1
    return "\n".join(pieces)
