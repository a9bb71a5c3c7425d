"""A QR code, as a drawing."""

from __future__ import annotations

import io


def qr_svg(text: str) -> str:
    """The QR code of an address as SVG, with the quiet zone that readers need (ISO/IEC 18004).

    Error correction M: it still reads with a stain on it. Same text, same drawing.
    """
    import segno

    out = io.BytesIO()
    segno.make_qr(text, error="m").save(
        out, kind="svg", border=4, xmldecl=False, svgclass=None, lineclass=None
    )
    return out.getvalue().decode("utf-8")
