"""What a key may be made for, in words."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from lastro.web.scopes import DELEGABLE, Scope

_OFFICES: Mapping[Scope, str] = {
    Scope.VERIFIER_READ: "ler a fila, as entidades e as objeções do verificador",
    Scope.VERIFIER_HOMOLOGATE: "declarar lotes verificados, sortear e conferir a amostra, emitir declarações",
    Scope.CONTEST_DECIDE: "propor e confirmar de quem é um item contestado",
    Scope.REQUESTS_ASK: "pedir informação a empresas e entidades",
    Scope.DATA_OPEN: "abrir dados de um estabelecimento, com a razão",
    Scope.ORDER_CHECK: "consultar se um CNPJ está em dia, constatar e notificar",
    Scope.AGENCY_WORK: "analisar o que se entregou ao órgão",
    Scope.TABLES_LOAD: "carregar e confirmar tabelas oficiais",
    Scope.FEE_WORK: "inscrever, lançar, emitir, receber e parcelar a taxa",
    Scope.INCENTIVE_ANALYSE: "analisar cadastros e medir na Bolsa Reciclagem",
    Scope.INCENTIVE_DECIDE: "registrar reuniões, votos, atos e concessões do Comitê",
    Scope.GAP_READ: "ler o que chegou ao grupo de acompanhamento",
    Scope.GAP_WORK: "registrar reuniões, assentos, dificuldades e o consolidado do grupo",
    Scope.MINISTRY_READ: "ler o que chegou ao ministério",
}
"""What offices and verifiers do through the API; the rest reads as in a delegation."""

WORDS: Mapping[Scope, str] = {**DELEGABLE, **_OFFICES}
"""What the API has routes for."""


def offered(scopes: Collection[Scope]) -> list[tuple[Scope, str]]:
    """What someone with these scopes may make a key for."""
    return [(needed, words) for needed, words in WORDS.items() if needed in scopes]
