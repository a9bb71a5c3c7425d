"""What every template may ask for: who is here, on whose behalf, and where they can go."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from lastro.errors import LastroError
from lastro.ids import masked
from lastro.web import office, parties
from lastro.web.marked import gettext_noop
from lastro.web.scopes import Scope
from lastro.web.translating import in_english, said

_MENU = (
    (Scope.ENTITY_READ, "entity", gettext_noop("Painel")),
    (Scope.ENTITY_READ, "documents", gettext_noop("Documentos")),
    (Scope.ENTITY_READ, "uploads", gettext_noop("Envios")),
    (Scope.ENTITY_READ, "parcels", gettext_noop("Recebidos")),
    (Scope.ENTITY_READ, "cures", gettext_noop("Achados")),
    (Scope.ENTITY_READ, "lots", gettext_noop("Lotes")),
    (Scope.ENTITY_READ, "entity-contests", gettext_noop("Contestados")),
    (Scope.ENTITY_READ, "receipts", gettext_noop("Recebimentos")),
    (Scope.ENTITY_READ, "objections", gettext_noop("Objeções")),
    (Scope.ENTITY_READ, "certificates", gettext_noop("Certificados")),
    (Scope.ENTITY_READ, "members", gettext_noop("Aderentes")),
    (Scope.ENTITY_READ, "operators", gettext_noop("Operadores")),
    (Scope.ENTITY_READ, "own-points", gettext_noop("Pontos")),
    (Scope.ENTITY_READ, "papers", gettext_noop("Documentos e contratos")),
    (Scope.ENTITY_READ, "report", gettext_noop("Relatório anual")),
    (Scope.VERIFIER_READ, "queue", gettext_noop("Fila")),
    (Scope.VERIFIER_READ, "verifier", gettext_noop("Entidades")),
    (Scope.VERIFIER_READ, "objections-asked", gettext_noop("Objeções")),
    (Scope.RECYCLER_READ, "recycler", gettext_noop("Cargas")),
    (Scope.RECYCLER_READ, "recycler-certificates", gettext_noop("CDF")),
    (Scope.COMPANY_READ, "company", gettext_noop("Minha posição")),
    (Scope.COMPANY_READ, "declaration", gettext_noop("Declaração")),
    (Scope.COMPANY_READ, "company-profile", gettext_noop("Cadastro")),
    (Scope.COMPANY_READ, "fees", gettext_noop("Taxa")),
    (Scope.OPERATOR_READ, "operator", gettext_noop("Início")),
    (Scope.OPERATOR_SEND, "operator-send", gettext_noop("Enviar notas")),
    (Scope.OPERATOR_READ, "operator-notes", gettext_noop("Minhas notas")),
    (Scope.OPERATOR_READ, "my-papers", gettext_noop("Papéis")),
    (Scope.INCENTIVE_FILE, "bolsa", gettext_noop("Bolsa Reciclagem")),
    (Scope.DEADLINES_READ, "deadlines", gettext_noop("Prazos")),
    (Scope.CONTEST_DECIDE, "contests", gettext_noop("Contestados")),
    (Scope.ORDER_CHECK, "order-check", gettext_noop("Está em dia?")),
    (Scope.ORDER_CHECK, "late", gettext_noop("Atrasos")),
    (Scope.ORDER_CHECK, "defaults", gettext_noop("Notificações")),
    (Scope.AGENCY_WORK, "queue-agency", gettext_noop("Entregas")),
    (Scope.AGENCY_WORK, "certificate-cancel", gettext_noop("Certificados")),
    (Scope.TABLES_LOAD, "tables", gettext_noop("Tabelas")),
    (Scope.FEE_WORK, "fee-register", gettext_noop("Cadastro e taxa")),
    (Scope.FEE_WORK, "fee-unpaid", gettext_noop("Em aberto")),
    (Scope.INCENTIVE_ANALYSE, "analysts", gettext_noop("Organizações")),
    (Scope.INCENTIVE_ANALYSE, "trainings", gettext_noop("Capacitações")),
    (Scope.INCENTIVE_DECIDE, "committee", gettext_noop("Organizações")),
    (Scope.INCENTIVE_DECIDE, "committee-meetings", gettext_noop("Reuniões")),
    (Scope.INCENTIVE_DECIDE, "committee-acts", gettext_noop("Atos")),
    (Scope.INCENTIVE_DECIDE, "committee-quarters", gettext_noop("Trimestres")),
    (Scope.INCENTIVE_DECIDE, "committee-seats", gettext_noop("Assentos")),
    (Scope.GAP_READ, "gap", gettext_noop("Grupo")),
    (Scope.GAP_WORK, "gap-consolidate", gettext_noop("Consolidado")),
    (Scope.MINISTRY_READ, "ministry", gettext_noop("Recebidos")),
    (Scope.REQUESTS_ASK, "requests-by-me", gettext_noop("Pedidos")),
    (Scope.DATA_OPEN, "openings", gettext_noop("Acessos")),
    (Scope.REQUESTS_ANSWER, "requests", gettext_noop("Pedidos")),
    (Scope.PUBLISH, "publish", gettext_noop("Publicações")),
    (Scope.REQUESTS_ANSWER, "my-defaults", gettext_noop("Notificações")),
    (Scope.REQUESTS_ANSWER, "handed-in", gettext_noop("Entregas ao órgão")),
    (Scope.KEYS_MANAGE, "keys", gettext_noop("Chaves")),
    (Scope.DELEGATE, "delegations", gettext_noop("Delegações")),
    (Scope.PEOPLE_MANAGE, "people", gettext_noop("Pessoas")),
    (Scope.PEOPLE_MANAGE, "admin-keys", gettext_noop("Chaves")),
    (Scope.PEOPLE_MANAGE, "admin-jobs", gettext_noop("Trabalhos")),
    (Scope.PEOPLE_MANAGE, "trail", gettext_noop("Trilha")),
    (Scope.PEOPLE_MANAGE, "backups", gettext_noop("Cópias e recontagem")),
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
        "menu": [(name, said(words)) for needed, name, words in _MENU if needed in user.scopes]
        if inside
        else [],
        "english": in_english(),
        "here": request.resolver_match.url_name if request.resolver_match else "",
        "test_world": _is_test(),
        "set_day": office.site().today,
    }
