"""Where paths lead, by their spelling alone: nothing is looked up, links are not followed."""

import re
from typing import Final, NamedTuple
from urllib.parse import unquote

_HOME: Final = re.compile(r"(?:~|\$HOME|\$\{HOME\}|%USERPROFILE%|\$env:USERPROFILE)(?=/|\Z)", re.I)
_VARIABLE: Final = re.compile(r"\$[\w{(]|%\w+%|`")
_DRIVE: Final = re.compile(r"([A-Za-z]):(/?)")
_HIDDEN: Final = re.compile(r"(?i)%(?:2e|2f|5c)")


class Spot(NamedTuple):
    """A path: what it starts from ("/", "~", "c:/", "" where it is relative), and its parts.

    `lost` says that it cannot be told where it leads.
    """

    root: str
    parts: tuple[str, ...]
    lost: bool = False


def spot(path: str) -> Spot:
    r"""A path, normalised: `.` and `..` resolved, a backslash is a slash, drives in lower case.

    Example:
        >>> spot(r"C:\work\..\x").root, spot("/work/./a/../b").parts, spot("~/../x").lost
        ('c:/', ('work', 'b'), True)
    """
    text = path.strip()
    if text.lower().startswith("file:"):
        text = re.sub(r"(?i)^file:(?://(?:localhost)?(?=/))?", "", text)
        text = re.sub(r"^/(?=[A-Za-z]:)", "", unquote(text))
    text = (unquote(text) if _HIDDEN.search(text) else text).replace("\\", "/")
    root, rest = _root(text)
    lost = "\0" in text or bool(_VARIABLE.search(rest)) or root in ("?", "drive")
    parts: list[str] = []
    for part in rest.split("/"):
        name = part.strip()
        if name == "..":
            lost |= not parts and root in ("", "~")
            del parts[-1:]
        elif name not in ("", "."):
            parts.append(name.lower() if root.endswith(":/") else name)
    return Spot(root, tuple(parts), lost)


def _root(text: str) -> tuple[str, str]:
    if home := _HOME.match(text):
        return "~", text[home.end() :]
    if drive := _DRIVE.match(text):
        root = f"{drive[1].lower()}:/" if drive[2] else "drive"  # `C:x` is relative to who knows
        return root, text[drive.end() :]
    if text.startswith("~"):
        return "?", text  # the home of somebody else
    if text.startswith("//"):
        return "//", text[2:]
    return ("/", text[1:]) if text.startswith("/") else ("", text)


def is_within(path: str, folder: Spot, base: Spot) -> bool:
    """Whether a path lies in a folder, or is it; a relative one starts from `base`.

    Example:
        >>> work = spot("/work")
        >>> [is_within(path, work, work) for path in ("a.txt", "/work/../etc", "/workspace/a")]
        [True, False, False]
    """
    if not path.strip():
        return True  # names nothing
    text = path.strip().replace("\\", "/")
    if spot(path).root == "":
        start = "/".join(base.parts)
        text = f"{base.root}{'/' if base.root == '~' else ''}{start}/{text}"
    there = spot(text)
    inside = there.parts[: len(folder.parts)] == folder.parts
    return not there.lost and there.root == folder.root and inside
