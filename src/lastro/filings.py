"""What people hand in, agree, decide or ask, kept in versions: the papers that have no table of their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Any


class Kind(StrEnum):
    """What a filing is. A new kind is one more line here, with its words in LABELS."""

    DOCUMENT = "document"
    CONTRACT = "contract"
    ACT = "act"
    REQUEST = "request"
    ANSWER = "answer"
    NOTICE = "notice"
    MEETING = "meeting"
    SEAT = "seat"
    VOTE = "vote"
    TRAINING = "training"
    PARCEL = "parcel"
    VETTING = "vetting"
    REGISTRATION = "registration"
    STEP = "step"
    MEASURE = "measure"
    MEASURED = "measured"
    SALE = "sale"
    QUARTER = "quarter"
    GRANT = "grant"
    TRANSFER = "transfer"
    TRANSFER_LIST = "transfer_list"
    RECEIPT = "receipt"
    SAMPLE = "sample"
    CHECK = "check"
    UNCHECKED = "unchecked"
    LOOKED = "looked"
    OPENING = "opening"
    BACKUP = "backup"
    POINTS = "points"
    DIFFICULTY = "difficulty"
    AUDIT = "audit"
    EQUALISED = "equalised"
    SENT = "sent"
    RETURNED = "returned"
    OBJECTION = "objection"
    WITHDRAWAL = "withdrawal"
    READ = "read"
    STATED = "stated"
    REVIEW = "review"
    TABLE = "table"
    ENTRY = "entry"
    CHARGE = "charge"
    COLLECTION = "collection"
    PAYMENT = "payment"
    INSTALMENTS = "instalments"
    DECLARED = "declared"
    JOINING = "joining"
    CHOICE = "choice"
    FEE = "fee"
    SEALING_KEY = "sealing_key"
    SEALED = "sealed"
    TOTALS = "totals"


LABELS: Mapping[Kind, str] = {
    Kind.DOCUMENT: "documento",
    Kind.CONTRACT: "contrato",
    Kind.ACT: "ato",
    Kind.REQUEST: "pedido",
    Kind.ANSWER: "resposta",
    Kind.NOTICE: "notificação",
    Kind.MEETING: "reunião",
    Kind.SEAT: "assento",
    Kind.VOTE: "voto",
    Kind.TRAINING: "capacitação",
    Kind.PARCEL: "envio de notas a uma entidade",
    Kind.VETTING: "papel da homologação",
    Kind.REGISTRATION: "cadastro na Bolsa Reciclagem",
    Kind.STEP: "passo do cadastro",
    Kind.MEASURE: "produção do mês",
    Kind.MEASURED: "medição do órgão",
    Kind.SALE: "comprovante de venda",
    Kind.QUARTER: "trimestre da Bolsa Reciclagem",
    Kind.GRANT: "concessão",
    Kind.TRANSFER: "repasse aos catadores",
    Kind.TRANSFER_LIST: "relação de repasses",
    Kind.RECEIPT: "recebimento de uma carga",
    Kind.SAMPLE: "plano de amostragem",
    Kind.CHECK: "conferência de um item à mão",
    Kind.UNCHECKED: "por que se declara sem tudo conferido",
    Kind.LOOKED: "parecer sobre uma carga",
    Kind.OPENING: "acesso de um órgão a dados",
    Kind.POINTS: "lista de pontos",
    Kind.DIFFICULTY: "dificuldade do sistema",
    Kind.AUDIT: "relatório de auditoria",
    Kind.EQUALISED: "equalização do grupo",
    Kind.SENT: "mudanças levadas ao SINIR ou ao sistema estadual",
    Kind.RETURNED: "planilha devolvida com erros",
    Kind.OBJECTION: "objeção a um achado",
    Kind.WITHDRAWAL: "retirada de uma reivindicação",
    Kind.READ: "ciência",
    Kind.STATED: "constatação do órgão",
    Kind.REVIEW: "análise do órgão",
    Kind.TABLE: "tabela oficial",
    Kind.ENTRY: "inscrição no cadastro técnico estadual",
    Kind.CHARGE: "lançamento da taxa",
    Kind.COLLECTION: "documento de arrecadação",
    Kind.PAYMENT: "comprovante de pagamento",
    Kind.INSTALMENTS: "parcelamento",
    Kind.DECLARED: "declaração da massa colocada no mercado",
    Kind.JOINING: "pedido de adesão ou de saída",
    Kind.CHOICE: "escolha entre regiões",
    Kind.FEE: "cálculo da taxa pelo estabelecimento",
    Kind.SEALING_KEY: "chave da caixa-preta",
    Kind.SEALED: "declaração lacrada",
    Kind.TOTALS: "totais da caixa-preta",
    Kind.BACKUP: "cópia de segurança",
}


@dataclass(frozen=True)
class Subject:
    """What all versions of one filing are about.

    `party` is whose it is: a CNPJ of 14 characters, or the word of an office ("agency", "committee").
    `addressee` may read it too; empty for nobody else. `period` is "2026", "2026-T3" or empty.
    `name` tells apart filings that share the rest (a plan's slug, a request's number).
    """

    kind: Kind
    party: str
    norm: str = ""
    period: str = ""
    name: str = ""


@dataclass(frozen=True)
class Filing:
    """One version of what was filed; the highest version of a subject is the one that stands."""

    id: int
    subject: Subject
    version: int
    body: Mapping[str, Any]
    addressee: str
    public: bool
    withdrawn: bool
    by: str
    on: date
    at: datetime
    files: tuple[tuple[str, str], ...] = ()
    """Name and SHA-256 of each file handed in with it."""
