"""What happens to a note afterwards: cancellation, cancellation by replacement, correction letter."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from lastro.sample.layout import El
from lastro.sample.note import Note
from lastro.sample.pki import Signer
from lastro.sample.seal import NFE, PLAIN, canonical, digest, protocol_number, signature

# The layout demands this sentence in every correction letter.
_TERMS = (
    "A Carta de Correcao e disciplinada pelo paragrafo 1o-A do art. 7o do Convenio S/N, de 15 de "
    "dezembro de 1970 e pode ser utilizada para regularizacao de erro ocorrido na emissao de documento "
    "fiscal, desde que o erro nao esteja relacionado com: I - as variaveis que determinam o valor do "
    "imposto tais como: base de calculo, aliquota, diferenca de preco, quantidade, valor da operacao ou "
    "da prestacao; II - a correcao de dados cadastrais que implique mudanca do remetente ou do "
    "destinatario; III - a data de emissao ou de saida."
)
NAMES = {
    110111: "Cancelamento",
    110112: "Cancelamento por substituicao",
    110110: "Carta de Correcao",
}


@dataclass(frozen=True)
class Event:
    """One event on one note, and SEFAZ's answer to it."""

    note: Note
    kind: int
    when: dt.datetime
    text: str
    status: int = 135
    reason: str = "Evento registrado e vinculado a NF-e"
    sequence: int = 1
    replaced_by: str = ""

    @property
    def identifier(self) -> str:
        """The Id that layout 1.00 of events prescribes."""
        return f"ID{self.kind}{self.note.key}{self.sequence:02d}"


def _detail(event: Event) -> El:
    proof = El("nProt", protocol_number(event.note))
    named = El("descEvento", NAMES[event.kind])
    if event.kind == 110110:
        content: tuple[El, ...] = (named, El("xCorrecao", event.text), El("xCondUso", _TERMS))
    elif event.kind == 110112:
        author = El("cOrgaoAutor", event.note.issuer.place.uf_code), El("tpAutor", "1"), El("verAplic", "4.2")
        content = (named, *author, proof, El("xJust", event.text), El("chNFeRef", event.replaced_by))
    else:
        content = (named, proof, El("xJust", event.text))
    return El("detEvento", content, (("versao", "1.00"),))


def _body(event: Event) -> El:
    pairs = (
        ("cOrgao", event.note.issuer.place.uf_code),
        ("tpAmb", "1"),
        ("CNPJ", event.note.issuer.cnpj),
        ("chNFe", event.note.key),
        ("dhEvento", event.when.isoformat(timespec="seconds")),
        ("tpEvento", str(event.kind)),
        ("nSeqEvento", str(event.sequence)),
        ("verEvento", "1.00"),
    )
    content = (*(El(name, text) for name, text in pairs), _detail(event))
    return El("infEvento", content, (("Id", event.identifier),))


def _answer(event: Event) -> str:
    sequence_number = (event.note.code * 31 + event.kind) % 10**10
    number = f"1{event.note.issuer.place.uf_code}{event.when:%y}{sequence_number:010d}"
    accepted = event.status in (135, 136, 155)
    shown = event.status, event.reason, event.note.key, event.kind, NAMES[event.kind], event.sequence
    status, reason, key, kind, name, sequence = shown
    return (
        f'<retEvento versao="1.00"><infEvento><tpAmb>1</tpAmb><verAplic>MTNFE_4.00</verAplic>'
        f"<cOrgao>{event.note.issuer.place.uf_code}</cOrgao><cStat>{status}</cStat><xMotivo>{reason}</xMotivo>"
        f"<chNFe>{key}</chNFe><tpEvento>{kind}</tpEvento><xEvento>{name}</xEvento>"
        f"<nSeqEvento>{sequence}</nSeqEvento>"
        f"<dhRegEvento>{event.when.isoformat(timespec='seconds')}</dhRegEvento>"
        f"{f'<nProt>{number}</nProt>' if accepted else ''}</infEvento></retEvento>"
    )


def event_file(event: Event, signer: Signer) -> bytes:
    """The procEventoNFe that the issuer keeps."""
    full = canonical(_body(event), PLAIN)
    signed = signature(event.identifier, digest(full), signer, PLAIN)
    inner = full.replace(PLAIN.namespace, "", 1)
    text = (
        f'<?xml version="1.0" encoding="UTF-8"?><procEventoNFe xmlns="{NFE}" versao="1.00">'
        f'<evento xmlns="{NFE}" versao="1.00">{inner}{signed}</evento>{_answer(event)}</procEventoNFe>'
    )
    return text.encode()
