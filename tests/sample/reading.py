"""Reads the sample's files again with other means than those that wrote them."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

from lxml import etree

from lastro.sample.world import Truth, World

NFE = "{http://www.portalfiscal.inf.br/nfe}"
DSIG = "{http://www.w3.org/2000/09/xmldsig#}"


def data_of(world: World, row: Truth) -> bytes:
    path = Path(world.out) / row.path
    if row.member:
        with zipfile.ZipFile(path) as archive:
            return archive.read(row.member)
    return path.read_bytes()


def envelope(data: bytes) -> bytes:
    """The NFe (or evento) element alone, cut out of its wrapper; a namespace it inherits is written in."""
    text = data.decode("utf-8-sig")
    found = re.search(r"<(?P<tag>(?:\w+:)?(?:NFe|evento))[ >].*</(?P=tag)>", text, re.DOTALL)
    assert found
    cut = found[0]
    head = cut.split(">", 1)[0]
    if "xmlns" not in head:
        cut = cut.replace(head, head + ' xmlns="http://www.portalfiscal.inf.br/nfe"', 1)
    return cut.encode()


def parsed(data: bytes) -> etree._Element:
    return etree.fromstring(data, etree.XMLParser(resolve_entities=False))


def text_of(root: etree._Element, path: str) -> str:
    found = root.find(".//" + "/".join(NFE + step for step in path.split("/")))
    assert found is not None, path
    return found.text or ""
