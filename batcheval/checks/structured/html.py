"""Is a text HTML? Its tags are known ones, and each that must be closed is closed in turn.

Browsers read anything; this holds a text against what the HTML standard lets an author write:
void elements have no end tag, some end tags may be left out, script and style hold no tags.
"""

import re
from typing import Final

from batcheval.checks.structured.grammars import BLANK

# Elements without an end tag; with text alone in them; whose end tags may be left out; others.
_VOID: Final = "area base br col embed hr img input link meta param source track wbr"
_RAW: Final = "script style textarea title"
_OPEN: Final = """html head body li dt dd p rt rp optgroup option colgroup caption thead tbody tfoot
tr td th"""
_OTHERS: Final = """a abbr address article aside audio b bdi bdo big blockquote button canvas center
cite code data datalist del details dfn dialog div dl em fieldset figcaption figure font footer form
h1 h2 h3 h4 h5 h6 header hgroup i iframe ins kbd label legend main map mark math menu meter nav
noscript object ol output picture pre progress q ruby s samp search section select slot small span
strike strong sub summary sup svg table template time tt u ul var video"""
_KNOWN: Final = frozenset(f"{_VOID} {_RAW} {_OPEN} {_OTHERS}".split())
_NO_END: Final = frozenset(_VOID.split())
_TEXT_ALONE: Final = frozenset(_RAW.split())
_MAY_STAY: Final = frozenset(_OPEN.split())
_FOREIGN: Final = ("svg", "math")  # in which other names are known

_NO_TAG: Final = "it has no tag of HTML"
_START: Final = re.compile(r"<(?=[a-z/!])", re.IGNORECASE)
_TAG: Final = re.compile(
    r"<!--(?P<comment>)|<!doctype\b[^>]*+>|<(?P<slash>/?)(?P<name>[a-z][^\s/>]*+)"
    r"""(?P<rest>(?:[^"'>]++|"[^"]*+"|'[^']*+')*+)>""",
    re.IGNORECASE,
)


def html_error(text: str) -> str | None:
    """What is wrong with a text as HTML, a document or a piece of one; None if nothing is.

    Example:
        >>> html_error("<p>So<br><b>bold</b>"), html_error("<b>bold"), html_error("1 < 2")
        (None, '<b> is not closed', 'it has no tag of HTML')
    """
    if not text.strip():
        return BLANK
    if "<" not in text:  # as in plain prose: a search for one character is far quicker
        return _NO_TAG
    opened: list[str] = []
    foreign, at, tags = 0, 0, 0
    while (start := _START.search(text, at)) is not None:
        tag = _TAG.match(text, start.start())
        if tag is None:
            return f"the tag at character {start.start() + 1} is not closed"
        at = tag.end()
        if tag["comment"] is not None:
            at = text.find("-->", at) + 3
            if at == 2:
                return "a comment is not closed"
        elif tag["name"] is not None:
            name, tags = tag["name"].lower(), tags + 1
            if name not in _KNOWN and "-" not in name and not foreign:
                return f"<{name[:40]}> is no tag of HTML"
            if tag["slash"]:
                if not _close(opened, name):
                    return f"</{name[:40]}> closes nothing"
                foreign -= name in _FOREIGN
            elif name not in _NO_END and not (foreign and tag["rest"].endswith("/")):
                opened.append(name)
                foreign += name in _FOREIGN
                if name in _TEXT_ALONE:
                    at = _end_of_raw(text, at, name)
    left = [name for name in opened if name not in _MAY_STAY]
    if left:
        return f"<{left[-1][:40]}> is not closed"
    return None if tags else _NO_TAG


def _close(opened: list[str], name: str) -> bool:
    """Close the last of that name; only what need not be closed may be open inside of it."""
    while opened and opened[-1] != name and opened[-1] in _MAY_STAY:
        opened.pop()
    if not opened or opened[-1] != name:
        return name in ("p", "br")  # which the standard lets stand alone
    opened.pop()
    return True


def _end_of_raw(text: str, at: int, name: str) -> int:
    found = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE).search(text, at)
    return found.start() if found else len(text)
