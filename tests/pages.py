"""Pages of reports, read back: what is in them, element by element."""

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

import html5lib

HTML = "{http://www.w3.org/1999/xhtml}"
SVG = "{http://www.w3.org/2000/svg}"


def parsed(page: str) -> Element:
    """The page as a tree, by a parser that bears no mistake."""
    return html5lib.HTMLParser(html5lib.getTreeBuilder("etree"), strict=True).parse(page)


def text_of(element: Element) -> str:
    """All text in an element, its spaces as a reader sees them."""
    return " ".join("".join(element.itertext()).split())


def all_of(tree: Element, tag: str) -> list[Element]:
    return list(tree.iter(f"{HTML}{tag}"))


def tables(tree: Element) -> dict[str, list[list[str]]]:
    """The rows of each table by its caption; the first is that of the heads."""
    found: dict[str, list[list[str]]] = {}
    for table in all_of(tree, "table"):
        caption = text_of(all_of(table, "caption")[0])
        rows = [[text_of(cell) for cell in row] for row in all_of(table, "tr")]
        found.setdefault(caption, rows)
    return found


def colors(style: str) -> Iterator[dict[str, str]]:
    """The custom properties of each theme."""
    for block in re.findall(r":root \{(.*?)\}", style, re.DOTALL):
        yield dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block))


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours. Source: WCAG 2.2, "contrast ratio"."""
    bright, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def _luminance(color: str) -> float:
    parts = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
