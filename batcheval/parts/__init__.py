"""Dumps cut into parts, each scored by itself: over processes, over nights, only if need be."""

from batcheval.parts.engines import Engine
from batcheval.parts.folder import is_folder
from batcheval.parts.on_ray import ray
from batcheval.parts.outlook import Outlook, look_ahead
from batcheval.parts.part import Part, PartFile, Parts
from batcheval.parts.planning import plan_parts
from batcheval.parts.run import score_parts, workers_of

__all__ = [
    "Engine",
    "Outlook",
    "Part",
    "PartFile",
    "Parts",
    "is_folder",
    "look_ahead",
    "plan_parts",
    "ray",
    "score_parts",
    "workers_of",
]
