"""What every template may ask for: who is here, on whose behalf, and where they can go."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from lastro.errors import LastroError
from lastro.ids import masked
from lastro.web import office, parties
from lastro.web.scopes import Scope
from lastro.web.translating import in_english

_MENU = (
    (Scope.ENTITY_READ, "entity", "Painel"),
    (Scope.ENTITY_READ, "documents", "Documentos"),
    (Scope.ENTITY_READ, "uploads", "Envios"),
    (Scope.ENTITY_READ, "parcels", "Recebidos"),
    (Scope.ENTITY_READ, "cures", "Achados"),
    (Scope.ENTITY_READ, "lots", "Lotes"),
    (Scope.ENTITY_READ, "entity-contests", "Contestados"),
    (Scope.ENTITY_READ, "receipts", "Recebimentos"),
    (Scope.ENTITY_READ, "objections", "Objeções"),
    (Scope.ENTITY_READ, "certificates", "Certificados"),
    (Scope.ENTITY_READ, "members", "Aderentes"),
    (Scope.ENTITY_READ, "operators", "Operadores"),
    (Scope.ENTITY_READ, "own-points", "Pontos"),
    (Scope.ENTITY_READ, "papers", "Documentos e contratos"),
    (Scope.ENTITY_READ, "report", "Relatório anual"),
    (Scope.VERIFIER_READ, "queue", "Fila"),
    (Scope.VERIFIER_READ, "verifier", "Entidades"),
    (Scope.VERIFIER_READ, "objections-asked", "Objeções"),
    (Scope.RECYCLER_READ, "recycler", "Cargas"),
    (Scope.RECYCLER_READ, "recycler-certificates", "CDF"),
    (Scope.COMPANY_READ, "company", "Minha posição"),
    (Scope.COMPANY_READ, "declaration", "Declaração"),
    (Scope.COMPANY_READ, "company-profile", "Cadastro"),
    (Scope.COMPANY_READ, "fees", "Taxa"),
    (Scope.OPERATOR_READ, "operator", "Início"),
    (Scope.OPERATOR_SEND, "operator-send", "Enviar notas"),
    (Scope.OPERATOR_READ, "operator-notes", "Minhas notas"),
    (Scope.OPERATOR_READ, "my-papers", "Papéis"),
    (Scope.INCENTIVE_FILE, "bolsa", "Bolsa Reciclagem"),
    (Scope.DEADLINES_READ, "deadlines", "Prazos"),
    (Scope.CONTEST_DECIDE, "contests", "Contestados"),
    (Scope.ORDER_CHECK, "order-check", "Está em dia?"),
    (Scope.ORDER_CHECK, "late", "Atrasos"),
    (Scope.ORDER_CHECK, "defaults", "Notificações"),
    (Scope.AGENCY_WORK, "queue-agency", "Entregas"),
    (Scope.TABLES_LOAD, "tables", "Tabelas"),
    (Scope.FEE_WORK, "fee-register", "Cadastro e taxa"),
    (Scope.FEE_WORK, "fee-unpaid", "Em aberto"),
    (Scope.INCENTIVE_ANALYSE, "analysts", "Organizações"),
    (Scope.INCENTIVE_ANALYSE, "trainings", "Capacitações"),
    (Scope.INCENTIVE_DECIDE, "committee", "Organizações"),
    (Scope.INCENTIVE_DECIDE, "committee-meetings", "Reuniões"),
    (Scope.INCENTIVE_DECIDE, "committee-acts", "Atos"),
    (Scope.INCENTIVE_DECIDE, "committee-quarters", "Trimestres"),
    (Scope.INCENTIVE_DECIDE, "committee-seats", "Assentos"),
    (Scope.GAP_READ, "gap", "Grupo"),
    (Scope.GAP_WORK, "gap-consolidate", "Consolidado"),
    (Scope.MINISTRY_READ, "ministry", "Recebidos"),
    (Scope.REQUESTS_ASK, "requests-by-me", "Pedidos"),
    (Scope.DATA_OPEN, "openings", "Acessos"),
    (Scope.REQUESTS_ANSWER, "requests", "Pedidos"),
    (Scope.PUBLISH, "publish", "Publicações"),
    (Scope.REQUESTS_ANSWER, "my-defaults", "Notificações"),
    (Scope.REQUESTS_ANSWER, "handed-in", "Entregas ao órgão"),
    (Scope.KEYS_MANAGE, "keys", "Chaves"),
    (Scope.DELEGATE, "delegations", "Delegações"),
    (Scope.PEOPLE_MANAGE, "people", "Pessoas"),
    (Scope.PEOPLE_MANAGE, "admin-keys", "Chaves"),
    (Scope.PEOPLE_MANAGE, "admin-jobs", "Trabalhos"),
    (Scope.PEOPLE_MANAGE, "trail", "Trilha"),
    (Scope.PEOPLE_MANAGE, "backups", "Cópias e recontagem"),
)
"""Scope, name of the address, words."""


def _is_test() -> bool:
    """Whether nothing here proves anything; so too while the trust can't be read."""
    try:
        return office.is_test()
    except LastroError:
        return True


def everywhere(request: HttpRequest) -> dict[str, Any]:
    """The person, the party of the session, the menu, and whether all of this is a test."""
    user: Any = getattr(request, "user", None)
    known = bool(user is not None and user.is_authenticated)
    inside = known and (user.is_verified() or not (user.needs_second_factor or user.has_second_factor))
    party = getattr(request, "party", "")
    if inside and not party:
        user.acting = parties.chosen(request)
    return {
        "me": user if inside else None,
        "half_in": known and not inside,
        "party": party,
        "party_name": office.name_of(party) if party else "",
        "my_parties": [(p, masked(p), office.name_of(p)) for p in user.parties] if inside else [],
        "lent": {one.party: one for one in user.delegations}.get(party) if inside and party else None,
        "menu": [(name, words) for needed, name, words in _MENU if needed in user.scopes] if inside else [],
        "english": in_english(),
        "here": request.resolver_match.url_name if request.resolver_match else "",
        "test_world": _is_test(),
    }
