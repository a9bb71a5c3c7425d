"""The black box on the pages: what is taken and refused, and who gets which boxes."""

from __future__ import annotations

import json

from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from lastro.blackbox.totals import Sealed, open_all
from lastro.units import Mass
from tests.web.conftest import YEAR, World, browser_of, people_of
from tests.web.own_verifier import SECRET, sealed


def test_boxes_go_to_their_verifier_and_nothing_open_is_taken(world: World) -> None:
    people, number = people_of(world), sealed(world)
    verifier = world.verifier(world.entities[0])
    browser = browser_of(people["verifier"])
    page = browser.get("/verificador/caixa-preta/").content.decode()
    assert reverse("black-box-sealed", args=[number]) in page
    answer = browser.get(reverse("black-box-sealed", args=[number]))
    assert answer.status_code == 200
    declared = Sealed.of_json(json.loads(answer.content))
    assert [r.placement.mass for r in open_all([declared], SECRET, verifier=verifier)] == [Mass(7)]

    company = browser_of(people["company"])
    box = declared.boxes[0].to_json()
    for text in (
        "",
        "[]",
        "nada",
        json.dumps([{**box, "mass_mg": "7"}]),
        json.dumps([{**box, "year": 2020}]),
    ):
        told = {"lacrada": text, "ano": str(YEAR), "verificador": verifier}
        assert company.post("/empresa/lacrar/", told).status_code == 400, text
    again = {"lacrada": json.dumps([box]), "ano": str(YEAR), "verificador": verifier}
    assert company.post("/empresa/lacrar/", again).status_code == 302
    other = browser_of(people["other_company"])
    assert other.post("/empresa/lacrar/", again).status_code == 400, "a box of another company"

    forged = {"said": {"year": YEAR, "sums": []}, "signature": "00" * 64}
    file = SimpleUploadedFile("totais.json", json.dumps(forged).encode())
    answer = browser.post("/verificador/caixa-preta/", {"entidade": world.entities[0], "arquivo": file})
    assert answer.status_code == 400
    assert "assinados" in answer.content.decode()
