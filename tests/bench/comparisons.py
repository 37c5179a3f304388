"""The part of the table about two runs compared."""

from plan import Goal, Measurement, Part, Setting


def comparisons(s: Setting) -> Part:
    big, half = s.big, s.big // 2
    made = {}
    for count in (half, big):
        runs, join = s.runs(count), f"plain join, {count:,}"
        flat = (Goal("peak", 2.2, f"compared, {half:,}"),) if count == big else ()
        made[join] = Measurement(("join", *runs), count)
        goals = (Goal("wall", 5.0, join), Goal("peak", None), *flat)
        made[f"compared, {count:,}"] = Measurement(("comparison", *runs, "0"), count, goals)
    runs = s.runs(big)
    made[f"10,000 resamples of 10,000 clusters, {big:,}"] = Measurement(
        ("comparison", *runs, "10000", "document"), big, (Goal("wall", 60.0),)
    )
    made[f"slices by two columns searched, {big:,}"] = Measurement(
        ("slices", *runs, "document", "run"), big, (Goal("wall", None),)
    )
    needs = tuple(s.runs(count)[0] for count in (half, big))
    return Part("i. two runs compared, 20 scorers", made, threads=None, needs=needs)
