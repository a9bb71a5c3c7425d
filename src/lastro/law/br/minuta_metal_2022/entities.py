"""Who takes part in the draft: admission, verifiers, secrecy, studies (arts. 3º, 8º, 22 to 24, 61, 68)."""

from __future__ import annotations

from lastro.lawkit import Law, rule

ENTITY_MOVES = {
    ("submitted", "under_review"): "ministry",
    ("under_review", "accepted"): "ministry",
    ("accepted", "notified"): "ministry",
    ("notified", "suspended"): "ministry",
    ("notified", "cured"): "ministry",
    ("suspended", "cured"): "ministry",
    ("suspended", "cancelled"): "ministry",
    ("cured", "notified"): "ministry",
}
STUDY = (
    "demography", "placed_by_region", "discarded_by_region", "received_by_recycler", "distance",
    "economic_activities", "infrastructure", "units", "financing",
)  # fmt: skip


@rule(
    provisions=("art3-XXXIII", "art24-p2"),
    label="Verificador independente",
    reading="verificador-tambem-no-individual",
)
def verifier_accepted(law: Law, *, private: bool, is_entity: bool, contracted: bool) -> bool:
    """A verifier is private, no entity itself, and under contract; an individual system has one too."""
    return private and not is_entity and contracted


@rule(provisions=("art8",), label="Pode provar metas por certificado de crédito")
def credit_accepted(law: Law, *, model: str) -> bool:
    """Only adherents of the collective model prove targets by credit certificates."""
    return model == "collective"


@rule(provisions=("art22-I", "art22-II", "art22-III", "art22-IV"), label="Documentos de admissão completos")
def admission_complete(
    law: Law, *, national: bool, plan: bool, suppliers: tuple[str, ...], technician: bool, sinir_active: bool
) -> bool:
    """National representativeness, a plan, suppliers of each kind, a technician, a registration."""
    kinds = {"transport", "storage", "processing", "destination"}
    return national and plan and kinds <= set(suppliers) and technician and sinir_active


@rule(provisions=("art22-p1", "art22-p2"), label="Passo da entidade")
def entity_step(law: Law, *, before: str, after: str, by: str) -> bool:
    """The ministry notifies, and what is not cured may end in the cancellation of the registration."""
    return ENTITY_MOVES.get((before, after)) == by


@rule(provisions=("art68",), label="Sigilo bem marcado")
def secrecy_marked(law: Law, *, marked: bool, ground: bool) -> bool:
    """Protected information is marked expressly and with its ground."""
    return marked and ground


@rule(
    provisions=(
        "art61", "art61-pu", "art61-pu-I", "art61-pu-II", "art61-pu-III", "art61-pu-IV", "art61-pu-V",
        "art61-pu-VI", "art61-pu-VII", "art61-pu-VIII", "art61-pu-IX",
    ),
    label="O que falta no estudo de pontos",
)  # fmt: skip
def study_lacks(law: Law, *, filled: tuple[str, ...]) -> tuple[str, ...]:
    """Nine parameters are considered for where points stand; a tenth only where the ministry names it."""
    return tuple(one for one in STUDY if one not in filled)
