"""What SEFAZ says of a key, asked over a real connection."""

from __future__ import annotations

from datetime import timedelta

import pytest

from lastro.connectors import addresses
from lastro.connectors.faults import Unanswered, Wait
from lastro.connectors.sefaz_status import Told, ask_status
from lastro.errors import LastroError
from lastro.evidence.read import read
from lastro.facts import Kind, Status
from lastro.ids import UF_BY_CODE
from tests.connectors import servers
from tests.connectors.servers import Reply, standing
from tests.evidence import vectors

KEY = vectors.Note().access_key


@pytest.fixture
def ask(sefaz, line, time):
    def asked(*replies: Reply | str) -> Told:
        sefaz.in_turn(*(Reply(r) if isinstance(r, str) else r for r in replies))
        return ask_status(KEY, line=line, address=sefaz.url + "/consulta", clock=time.clock)

    return asked


def test_the_question_is_the_one_of_the_manual(ask, sefaz):
    ask(standing(KEY))
    (given,) = sefaz.asked
    assert (given.method, given.path) == ("POST", "/consulta")
    assert given.headers["Content-Type"] == (
        "application/soap+xml; charset=utf-8; "
        'action="http://www.portalfiscal.inf.br/nfe/wsdl/NFeConsultaProtocolo4/nfeConsultaNF"'
    )
    assert (
        '<consSitNFe xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00"><tpAmb>1</tpAmb>'
        f"<xServ>CONSULTAR</xServ><chNFe>{KEY}</chNFe></consSitNFe>"
    ) in given.body


@pytest.mark.parametrize(
    ("status", "says"),
    [
        ("100", Status.AUTHORISED),
        ("150", Status.AUTHORISED),
        ("101", Status.CANCELLED),
        ("151", Status.CANCELLED),
        ("155", Status.CANCELLED),
        ("110", Status.DENIED),
        ("301", Status.DENIED),
        ("217", Status.UNAUTHORISED),
        ("226", Status.UNKNOWN),
        ("526", Status.UNKNOWN),
    ],
)
def test_each_status_says_what_it_says(ask, time, status, says):
    told = ask(standing(KEY, status, digest="abc="))
    assert told.consulted.says is says
    assert (told.consulted.access_key, told.consulted.status) == (KEY, status)
    assert told.consulted.digest == "abc="
    assert told.consulted.asked_at == time.at
    assert time.slept == []


def test_the_bytes_are_kept_as_they_came_and_are_only_an_answer_when_read_as_a_file(ask):
    text = standing(KEY, "101")
    told = ask(text)
    assert told.body == text.encode()
    (reading,) = read(told.body)
    assert reading.kind is Kind.ANSWER


def event(kind: str, status: str, *, key: str = KEY) -> str:
    return (
        '<procEventoNFe versao="1.00"><evento><infEvento><cStat>135</cStat>'
        f"<tpEvento>110111</tpEvento></infEvento></evento><retEvento><infEvento><cStat>{status}</cStat>"
        f"<chNFe>{key}</chNFe><tpEvento>{kind}</tpEvento></infEvento></retEvento></procEventoNFe>"
    )


@pytest.mark.parametrize(
    ("events", "cancelled"),
    [
        (event("110111", "135"), True),
        (event("110112", "155"), True),
        (event("110110", "135") + event("110111", "136"), True),
        (event("110111", "573"), False),
        (event("110110", "135"), False),
        (event("110111", "135", key="5" * 44), False),
        ("<retCancNFe><infCanc><cStat>101</cStat></infCanc></retCancNFe>", True),
    ],
)
def test_a_registered_cancellation_inside_counts_beside_any_status(ask, events, cancelled):
    told = ask(standing(KEY, "100", digest="abc=", events=events))
    assert (told.consulted.says is Status.CANCELLED) == cancelled


# ── what goes wrong ──────────────────────────────────────────────────────────────────────────────────


HTML = "<!DOCTYPE html><html><body>Serviço indisponível</body></html>"
FAULT = (
    '<soap:Envelope xmlns:soap="http://www.w3.org/2003/05/soap-envelope"><soap:Body><soap:Fault><soap:Code>'
    "<soap:Value>soap:{who}</soap:Value></soap:Code><soap:Reason><soap:Text>algo</soap:Text></soap:Reason>"
    "</soap:Fault></soap:Body></soap:Envelope>"
)


@pytest.mark.parametrize(
    "first",
    [
        Reply(status=500),
        Reply(HTML, status=503),
        Reply(status=429, headers={"Retry-After": "3"}),
        Reply(HTML),
        Reply(""),
        Reply("<a/>"),
        Reply(servers.soap("")),
        Reply(b"<soap", cut=100),
        Reply(FAULT.format(who="Receiver"), status=500),
        Reply(standing(KEY, "108")),
        Reply(standing(KEY, "109")),
        Reply(standing(KEY, "")),
    ],
)
def test_what_may_pass_is_asked_again(ask, sefaz, time, first):
    assert ask(first, Reply(standing(KEY))).consulted.status == "100"
    assert len(sefaz.asked) == 2
    assert time.slept == [3 if first.status == 429 else 1]


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (Reply(status=404), "404"),
        (Reply(HTML, status=403), "403"),
        (Reply(FAULT.format(who="Sender"), status=500), "recusou o pedido"),
        (Reply(standing(KEY, environment="2")), "homologação"),
        (Reply(standing("5" * 44)), "outra chave"),
        (Reply(standing(KEY, digest="a=", protocol_key="5" * 44)), "outra chave"),
        (Reply(standing("", "101")), "outra chave"),
    ],
)
def test_what_will_not_change_is_told_at_once(ask, sefaz, time, reply, words):
    with pytest.raises(Unanswered, match=words):
        ask(reply)
    assert len(sefaz.asked) == 1
    assert time.slept == []


def test_a_service_that_stays_down_is_left_alone(ask, sefaz, time):
    with pytest.raises(Unanswered, match="500"):
        ask(Reply(status=500))
    assert len(sefaz.asked) == 4
    assert time.slept == [1, 2, 4]


def test_excessive_use_stops_for_an_hour(ask, sefaz, time):
    with pytest.raises(Wait, match="consumo indevido") as told:
        ask(standing(KEY, "656"))
    assert told.value.until == time.at + timedelta(hours=1)
    assert len(sefaz.asked) == 1


def test_latin_1_under_a_utf_8_declaration_is_read(ask):
    told = ask(Reply(standing(KEY, "217", reason="Não consta").encode("latin-1")))
    assert told.consulted.reason == "Não consta 217"
    assert told.consulted.says is Status.UNAUTHORISED


def test_an_entity_in_an_answer_is_refused(ask):
    bomb = '<!DOCTYPE a [<!ENTITY b "100">]>' + standing(KEY).partition("?>")[2]
    with pytest.raises(Unanswered, match="DOCTYPE"):
        ask(bomb)


# ── where ────────────────────────────────────────────────────────────────────────────────────────────


def test_every_unit_has_an_authority_with_source_and_day():
    for code in UF_BY_CODE:
        assert addresses.of_key(code + "0" * 42).startswith("https://")
    assert addresses.distribution().endswith("NFeDistribuicaoDFe.asmx")
    assert all(row.source and row.seen_on and row.url.startswith("https://") for row in addresses.every())
    assert "mt.gov.br" in addresses.of_key(KEY)


def test_an_unknown_unit_or_system_is_told():
    with pytest.raises(LastroError, match="99"):
        addresses.of_key("99" + "0" * 42)
    with pytest.raises(LastroError, match="outro"):
        addresses.manifests("outro")
