"""Templates filled in: what is printed is escaped, its control characters are spelled out."""

from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from batcheval.errors import MissingExtraError
from batcheval.report.page.safe import visible

if TYPE_CHECKING:
    from jinja2 import Environment

_PACKAGES: Final = {"jinja2": "jinja2", "vl_convert": "vl-convert-python"}
_SHORT: Final = 300  # characters of a name


def require_packages() -> None:
    """Raise `MissingExtraError` unless what makes a page is installed."""
    missing = [name for module, name in _PACKAGES.items() if find_spec(module) is None]
    if missing:
        raise MissingExtraError("a report", missing, "report")


def fill(template: str, **values: Any) -> str:
    """The page that a template makes of some values.

    Raises:
        MissingExtraError: the packages are not installed.
    """
    require_packages()
    return _environment().get_template(template).render(values)


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    def printed(value: object) -> object:
        return value if isinstance(value, Markup) else visible(str(value))

    def short(text: object, longest: int = _SHORT) -> str:
        whole = str(text)
        return whole if len(whole) <= longest else f"{whole[:longest]}…"

    environment = Environment(
        loader=PackageLoader("batcheval.report.page"),
        autoescape=True,
        finalize=printed,
        lstrip_blocks=True,
        trim_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters["short"] = short
    return environment
