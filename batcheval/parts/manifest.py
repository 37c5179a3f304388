"""The manifest of a folder of scores: what it holds as a whole, and which part has what."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from batcheval.parts.definitions import key_of
from batcheval.parts.job import Job

if TYPE_CHECKING:
    from batcheval.parts.gathering import Done

_OF_SOURCE: Final = ("name", "bytes", "line", "hash")
_COUNTED: Final = ("rows", "lines", "blank", "repaired", "quarantined")


def manifest_of(about: Mapping[str, Any], job: Job, done: "Iterable[Done]") -> dict[str, Any]:
    """The manifest, as JSON.

    Args:
        about: what a single file of these scores would tell of itself.
        job: what was asked.
        done: the parts, in order.
    """
    return {
        **about,
        "suite_hash": key_of(list(job.keys.items())),
        "parts": [_entry(one) for one in done],
    }


def _entry(done: "Done") -> dict[str, Any]:
    part = done.record["part"]
    return {
        "part": done.task.part.number,
        "file": done.task.name,
        "sources": [{fact: source[fact] for fact in _OF_SOURCE} for source in part["sources"]],
        **{name: part["log"][name] for name in _COUNTED},
        "scored": part["scored"],
        "version": done.record["version"],
    }
