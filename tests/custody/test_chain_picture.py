"""The sales behind a sale, drawn: every party once, every pair once, and no mass of what is hidden."""

from __future__ import annotations

from xml.etree import ElementTree

from lastro.custody.chain import Flow
from lastro.custody.chain_picture import MOST, Graph, graph, picture
from lastro.ids import Material

GLASS = Material.GLASS


def flow(number: int, seller: str, buyer: str, mass: int = 1_000_000, *, at: int | None = None) -> Flow:
    when = number if at is None else at
    return Flow(f"{number:044d}", 1, when, seller, buyer, GLASS, mass, mass // 2)


TOLD = flow(9, "DEALER", "MILL")
FLOWS = [
    flow(1, "PICKER A", "SCRAP"),
    flow(2, "PICKER A", "DEALER"),
    flow(3, "PICKER A", "DEALER"),
    flow(4, "SCRAP", "DEALER"),
    flow(5, "DEALER", "OTHER MILL"),
    flow(20, "LATER", "DEALER"),
    TOLD,
]


def drawn(shown: Graph) -> ElementTree.Element:
    svg = picture(shown, labels={"MILL": "<Mill> & Co"}, links={FLOWS[3].sale: "/x/?a=1&b=2"}, title="a")
    return ElementTree.fromstring(svg)


def edges(shown: Graph) -> set[tuple[str, str]]:
    return {(one.seller, one.buyer) for one in shown.edges}


def test_it_goes_back_step_by_step_and_says_what_it_leaves_out() -> None:
    near = graph(FLOWS, TOLD, depth=1)
    assert near.columns == (("MILL",), ("DEALER",))
    assert edges(near) == {("DEALER", "MILL")}
    assert near.beyond == 2
    far = graph(FLOWS, TOLD, depth=4)
    assert edges(far) == {
        ("DEALER", "MILL"), ("PICKER A", "DEALER"), ("SCRAP", "DEALER"), ("PICKER A", "SCRAP")
    }  # fmt: skip
    assert far.beyond == 0


def test_notes_of_one_pair_are_one_line_with_their_sum() -> None:
    shown = graph(FLOWS, TOLD, depth=2)
    (pair,) = [one for one in shown.edges if (one.seller, one.buyer) == ("PICKER A", "DEALER")]
    assert pair.mass is not None
    assert pair.mass.mg == 2_000_000
    assert pair.credited is not None
    assert pair.credited.mg == 1_000_000
    assert len(pair.sales) == 2


def test_what_was_sold_later_or_to_others_is_not_behind_it() -> None:
    far = graph(FLOWS, TOLD, depth=4)
    assert not {"LATER", "OTHER MILL"} & {who for column in far.columns for who in column}


def test_of_hidden_notes_no_mass_is_drawn() -> None:
    shown = graph(FLOWS, TOLD, depth=2, hidden=[FLOWS[3].access_key])
    (hidden,) = [one for one in shown.edges if one.seller == "SCRAP"]
    assert hidden.mass is None
    assert hidden.credited is None
    assert "nota de outro" in "".join(drawn(shown).itertext())


def test_the_drawing_is_whole_xml_with_each_party_once_and_links_to_single_notes() -> None:
    shown = graph(FLOWS, TOLD, depth=2)
    svg = drawn(shown)
    boxes = [one for one in svg.iter() if one.tag.endswith("rect")]
    assert len(boxes) == sum(map(len, shown.columns)) == 4
    lines = [one for one in svg.iter() if one.get("marker-end")]
    assert len(lines) == len(shown.edges)
    links = [one.get("href") for one in svg.iter() if one.tag.endswith("}a")]
    assert links == ["/x/?a=1&b=2"]
    assert "<Mill> & Co" in "".join(svg.itertext())
    assert not [one for one in svg.iter() if "style" in one.attrib], "the policy of the pages forbids it"


def test_a_crowd_is_cut_and_counted() -> None:
    crowd = [flow(n, f"P{n:02d}", "DEALER", 1_000_000 + n, at=1) for n in range(30, 30 + MOST + 3)]
    shown = graph([*crowd, TOLD], TOLD, depth=2)
    assert len(shown.columns[2]) == MOST
    assert shown.beyond == 3
    assert "P30" not in shown.columns[2], "the lightest are those left out"
    drawn(shown)


def test_a_circle_of_sales_ends() -> None:
    shown = graph([flow(1, "MILL", "DEALER"), flow(2, "DEALER", "MILL"), TOLD], TOLD, depth=4)
    assert {who for column in shown.columns for who in column} == {"MILL", "DEALER"}
    drawn(shown)
