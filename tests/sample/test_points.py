"""The invented points are a list that the file's own reader takes."""

from __future__ import annotations

from datetime import date

from lastro import points
from lastro.sample.points import point_list


def test_the_invented_list_is_read_and_names_the_largest_cities_once() -> None:
    read = points.parse(point_list("MT", number=12, since=date(2026, 1, 5)), coordinates=False)
    assert len({one.municipality for one in read.points}) == 12
    assert read.points[0].municipality == "5103403"
    assert all(one.materials and one.address for one in read.points)
