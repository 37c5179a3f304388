"""Part h: the dumps of foreign layouts, read."""

from dumps import FAMILIES, path_of
from plan import Goal, Measurement, Part, Setting

_TIMES = 4  # how much larger the larger dump is of which the memory is compared
_LARGE = ("openai_chat", "otel_genai_spans")  # records by themselves, and traces over many


def dumps_of_layouts(s: Setting) -> Part:
    """Each family: plain decoding, the columns of scoring, all columns; and memory by size."""
    made: dict[str, Measurement] = {}
    needs: list[str] = []
    for name in s.layouts or FAMILIES:
        path, goal = str(path_of(name, s.megabytes, s.folder)), FAMILIES[name].goal
        needs.append(path)
        plain = f"{name}, plain JSON"
        if FAMILIES[name].form != "parquet":
            made[plain] = Measurement(("plain_json", path), 0, (Goal("mb"),), s.megabytes)
        for columns in ("scoring", "all"):
            goals = [Goal("mb", goal if columns == "scoring" else None), Goal("peak")]
            goals += [Goal("cpu", None, plain)] if plain in made else []
            job = ("layout", path, columns)
            made[f"{name}, {columns}"] = Measurement(job, 0, tuple(goals), s.megabytes)
        if name in _LARGE:
            large = str(path_of(name, _TIMES * s.megabytes, s.folder))
            needs.append(large)
            goals = [Goal("mb", goal), Goal("peak", 1.3, f"{name}, scoring")]
            made[f"{name}, {_TIMES} times the size"] = Measurement(
                ("layout", large, "scoring"), 0, tuple(goals), _TIMES * s.megabytes
            )
            made[f"{name}, the same in 2 processes"] = Measurement(
                ("layout", large, "scoring", "2"),
                0,
                (Goal("wall", 1.0, f"{name}, {_TIMES} times the size"),),
            )
    return Part("h. dumps of other layouts", made, needs=tuple(needs))
