"""Municipalities where the sample's people live: codes and names as IBGE gives them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """A municipality, and what a note says of it."""

    code: str
    name: str
    uf: str

    @property
    def uf_code(self) -> str:
        """The two digits IBGE gives the state."""
        return self.code[:2]

    @property
    def offset(self) -> int:
        """Hours from UTC: Mato Grosso and Roraima keep the Amazon hour, the others that of Brasília."""
        return -4 if self.uf in ("MT", "RR") else -3


def _list(uf: str, text: str) -> tuple[Place, ...]:
    rows = (row.split(" ", 1) for row in text.strip().splitlines())
    return tuple(Place(code.strip(), name.strip(), uf) for code, name in rows)


MATO_GROSSO = _list(
    "MT",
    """
5103403 Cuiabá
5108402 Várzea Grande
5107602 Rondonópolis
5107909 Sinop
5107958 Tangará da Serra
5107925 Sorriso
5105259 Lucas do Rio Verde
5107040 Primavera do Leste
5102504 Cáceres
5101803 Barra do Garças
5100250 Alta Floresta
5106224 Nova Mutum
5102678 Campo Verde
5106752 Pontes e Lacerda
5105150 Juína
5102637 Campo Novo do Parecis
5103353 Confresa
5106422 Peixoto de Azevedo
5104104 Guarantã do Norte
5105101 Juara
5106505 Poconé
5103205 Colíder
5100201 Água Boa
5104807 Jaciara
5105622 Mirassol d'Oeste
5103007 Chapada dos Guimarães
5103502 Diamantino
5106257 Nova Xavantina
""",
)

GOIAS = _list(
    "GO",
    """
5208707 Goiânia
5201108 Anápolis
5218805 Rio Verde
""",
)

SOUTHERNMOST = Place("4314902", "Porto Alegre", "RS")
NORTHERNMOST = Place("1400100", "Boa Vista", "RR")
