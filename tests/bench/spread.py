"""One dump over processes: what they cost, and what they bring."""

import os

from measure import HERE
from plan import Goal, Measurement, Part, Setting

TEN, SLOW = str(HERE / "ten.toml"), str(HERE / "slow.toml")
SIZE = str(32 << 20)


def in_parts(s: Setting) -> Part:
    """Parts against the whole, and a run that goes on."""
    n = s.traces
    made: dict[str, Measurement] = {}
    for kind in ("parquet", "jsonl"):
        file, whole, folder = s.file(kind), f"{kind}, the whole", f"{s.out}-{kind}/"
        made[whole] = Measurement(("scores", file, s.out, TEN), n)
        made[f"{kind}, parts, one worker"] = Measurement(
            ("by_parts", file, folder, TEN, "1", SIZE), n, (Goal("cpu", 1.05, whole),)
        )
        for job, name, most in (
            ("gone_on", "a run that is done, again", None),
            ("bookkeeping", "of which hashes and records", 0.01),
        ):
            made[f"{kind}, {name}"] = Measurement(
                (job, file, folder, TEN, SIZE), n, (Goal("cpu", most, whole),)
            )
    return Part("q. part by part", made, needs=(s.file("parquet"),))


def over_processes(s: Setting) -> Part:
    """The same parts over several processes and on Ray, of checks that Python is busy with."""
    n, file, one = s.traces, s.file("parquet"), "one worker"
    places = {"plain engine": ("scores", file, s.out, SLOW)}
    many = [2, 4] if (os.cpu_count() or 1) > 2 else [2]
    made = {name: Measurement(command, n) for name, command in places.items()}
    made[one] = Measurement(
        ("by_parts", file, f"{s.out}-1/", SLOW, "1", SIZE), n, (Goal("cpu", 1.05, "plain engine"),)
    )
    for workers in many:
        beside = f"{workers} runs of one worker side by side"
        made[beside] = Measurement(
            ("side_by_side", file, f"{s.out}-beside", SLOW, str(workers), SIZE), n * workers
        )
        goals = (Goal("wall", 1 / (0.9 * workers), one), Goal("wall", None, beside))
        for name, job in (("workers", "by_parts"), ("workers of Ray", "on_ray")):
            made[f"{workers} {name}"] = Measurement(
                (job, file, f"{s.out}-{workers}/", SLOW, str(workers), SIZE), n, goals
            )
    return Part("r. over processes", made, needs=(file,))
