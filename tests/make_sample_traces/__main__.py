"""Make sample_traces/: 150 tasks for the support agent of a made-up shop, each run twice.

The first 30 tasks are repeated besides, up to six times each, by the second of the two runs.

    python tests/make_sample_traces [FOLDER]

The same bytes every time. The Parquet file is what the library itself reads from the JSONL file.
"""

import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import polars as pl
from shop import WORDS, Dice, Record, fill, outcome, output, tasks, told

from batcheval import read_traces

START = datetime(2025, 5, 12, 8, tzinfo=UTC)
ABOUT = {key: key for key in ("city", "tier", "channel", "kind")}
ABOUT |= {"first_name": "name", "language": "said"}
PEOPLE = ("mk", "tv", "io")


def calls(dice: Dice, run: Record, slots: Record, end: str) -> list[Record]:
    """The tools called: with failures and second tries, needless repeats, calls left waiting."""
    names = list(slots["calls"])
    if end == "deflect":
        names[-1:] = ["escalate_to_human"] * dice.chance(0.3)
    if end == "crash":
        names = names[:1] * dice.pick([1, 1, 8])
    made: list[Record] = []
    for name in names:
        tries = dice.pick([1, 1, 2]) if dice.chance(run["tool_error"]) else 0
        made += [call(name, slots, end) | failure(dice) for _ in range(tries)]
        made += [call(name, slots, end) | waiting(dice, name, slots)]
        made += [call(name, slots, end)] * (name != "refund_order" and dice.chance(run["repeat"]))
    return [dict(one) for one in made]


def call(name: str, slots: Record, end: str) -> Record:
    paid = slots["total" if end == "right" else "less"]
    tool = fill(WORDS["tools"][name], told(slots, slots["right"]) | {"paid": paid})
    return {"id": "", "name": name, **tool, "error": None, "state": "ok"}


def failure(dice: Dice) -> Record:
    return {"result": None, "error": dice.pick(WORDS["trouble"]["call"]), "state": "error"}


def waiting(dice: Dice, name: str, slots: Record) -> Record:
    """What becomes of a refund that a person has to approve; nothing for other calls."""
    if name != "refund_order" or slots["total"] < 160:
        return {}
    state = dice.pick(["pending", "pending", "denied"])
    error = WORDS["trouble"]["denied"] if state == "denied" else None
    return {"result": None, "error": error, "state": state}


def timed(dice: Dice, run: Record, made: list[Record], start: datetime) -> float:
    """Give the calls ids, times and a place; the latency of the whole run in milliseconds."""
    latency = run["pace"] * (600 + 900 * dice.roll())
    for one in made:
        took = round(5000.0 if one["state"] == "error" else 40 + 900 * dice.roll() ** 2, 1)
        one["id"] = f"call_{int(dice.roll() * 16**10):010x}"
        one |= {"started_at": stamp(start + timedelta(milliseconds=latency)), "duration_ms": took}
        one["agent"] = None
        latency += took + run["pace"] * (300 + 700 * dice.roll())
    return round(latency, 1)


def stamp(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def messages(ask: str, made: list[Record], said: str | None) -> Iterator[Record]:
    """The conversation, and in each call the place of the message that made it."""
    yield {"role": "user", "content": ask}
    for place, one in enumerate(made):
        one["message"] = 1 + 2 * place
        yield {"role": "assistant", "content": ""}
        answer = one["error"] or one["result"] or one["state"]
        text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
        yield {"role": "tool", "content": text, "name": one["name"], "tool_call_id": one["id"]}
    if said is not None:
        yield {"role": "assistant", "content": said}


def labels(dice: Dice, end: str) -> Record:
    """What a person said of the run; one in twenty clicks on the wrong button."""
    correct = (end == "right") != dice.chance(0.05)
    return {"correct": correct, "tone": dice.pick([3, 4, 4, 5]), "by": dice.pick(PEOPLE)}


def usage(run: Record, made: list[Record], said: str | None, dice: Dice) -> Record:
    read = 900 + 350 * len(made) + int(200 * dice.roll())
    wrote = 25 * len(made) + len(said or "") // 4
    cost = round(read * run["price"][0] + wrote * run["price"][1], 6)
    counts = {"input_tokens": read, "output_tokens": wrote, "total_tokens": read + wrote}
    return counts | {"cached_tokens": 768 * (len(made) > 1), "cost": cost}


def trace(name: str, slots: Record, trial: int = 1) -> Record:
    """One run of one task."""
    key = f"{name}-{slots['task_id']}" + (f"-{trial}" if trial > 1 else "")
    run, dice = WORDS["runs"][name], Dice(key.replace("-", ".", 1))
    end = outcome(dice, run, slots)
    start = START + timedelta(days=7 * (name != "baseline"), seconds=int(slots["n"]) * 97)
    made = calls(dice, run, slots, end)
    said = None if end == "crash" else output(dice, run, slots, end)
    latency = timed(dice, run, made, start)
    record = {"trace_id": key, "run": name, "task_id": slots["task_id"]}
    record |= {"trial": trial, "input": slots["ask"]}
    record |= {"output": said} if said else {"error": dice.pick(WORDS["trouble"]["crash"])}
    talk = list(messages(slots["ask"], made, said)) if int(slots["n"]) % 5 == 0 else []
    record |= {"tool_calls": made} | ({"messages": talk} if talk else {})
    record |= {"expected": slots["right"], "expected_tool_calls": slots["calls"]}
    record |= {"reference_answer": fill(slots["tell"], told(slots, slots["right"]))}
    record |= {"model": run["model"], **usage(run, made, said, dice), "latency_ms": latency}
    record |= {"started_at": stamp(start)}
    record["metadata"] = {key: slots[slot] for key, slot in ABOUT.items()}
    return record | ({"labels": labels(dice, end)} if dice.chance(0.4) else {})


def records() -> list[Record]:
    """Both runs of all tasks."""
    todo = tasks()
    return [trace(name, slots) for name in WORDS["runs"] for slots in todo]


def repeats() -> list[Record]:
    """Some tasks again and again: every fifth fewer times than the others, as if it was cut off."""
    todo = [(slots, 3 if place % 5 == 4 else 6) for place, slots in enumerate(tasks()[:30])]
    return [trace("candidate", slots, trial + 1) for slots, often in todo for trial in range(often)]


def dumped(records: list[Record], dump: Path) -> None:
    lines = [json.dumps(record, ensure_ascii=False) for record in records]
    dump.write_text("\n".join(lines) + "\n", "utf-8")


def main(folder: Path) -> None:
    dump = folder / "support_agent.jsonl"
    dumped(records(), dump)
    dumped(repeats(), folder / "repeats.jsonl")
    table = read_traces(dump).with_columns(source=pl.lit(dump.name))
    table.collect().write_parquet(folder / "support_agent.parquet")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else Path(__file__).parents[2] / "sample_traces")
