"""What the draft asks of the black box and the custody centre (arts. 3º, XXXII; 23, VI, § 7º; 36; 38)."""

from __future__ import annotations

from lastro.lawkit import Law, rule


@rule(provisions=("art3-XXXII", "art23-VI"), label="Quem abre uma linha da caixa-preta")
def row_reader(law: Law, *, office: str) -> bool:
    """The masses are kept without saying whose they are; the verifier alone opens one, and it is recorded."""
    return office == "verifier"


@rule(provisions=("art23-p7",), label="A central de custódia recusa o que já está em outra base")
def held_elsewhere(law: Law, *, verifiers: int, holders: int) -> bool:
    """With more than one verifier, what one already holds is refused to another, with no content shown."""
    return verifiers > 1 and holders > 0


@rule(provisions=("art36-XII",), label="Caixa-preta atualizada")
def not_updated(law: Law, *, adherents: tuple[str, ...], sealed: tuple[str, ...]) -> tuple[str, ...]:
    """The adherents whose period is missing from the black box; nothing is said of the others' values."""
    return tuple(sorted(set(adherents) - set(sealed)))


@rule(provisions=("art38-VI",), label="A fábrica de metal lacra pela entidade representativa")
def sent_by_the_right_one(law: Law, *, metal_maker: bool, sender: str) -> bool:
    """Makers of metal packaging keep theirs up to date through their representative entity."""
    return not metal_maker or sender == "representative_entity"
