"""The part of the table about a suite suggested from a dump."""

from plan import Goal, Measurement, Part, Setting


def suggestions(s: Setting) -> Part:
    made, sizes = {}, (s.traces, s.big)
    for count in sizes:
        run = ("cli", "suggest", s.file("parquet", count), "--good", "input_tokens < 3000", "-q")
        goal = Goal("wall", 60.0 * count / 200_000)
        flat = (Goal("peak", 1.3, f"suggest, {s.traces:,}"),) if count == s.big else ()
        made[f"suggest, {count:,}"] = Measurement(run, count, (goal, *flat))
    needs = tuple(s.file("parquet", count) for count in sizes)
    return Part("o. a suite suggested, by the command line", made, threads=None, needs=needs)
