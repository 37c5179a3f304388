"""The made-up shop of sample_traces/: who asks its support agent for what, and the right answer.

The words are in words.toml. Chance comes from `Random.random` alone, which keeps its
promise over Python's versions: the same key, the same task.
"""

import tomllib
from collections.abc import Sequence
from pathlib import Path
from random import Random
from string import Template
from typing import Any

WORDS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))
Record = dict[str, Any]


class Dice:
    """Chances that depend on a key alone."""

    def __init__(self, key: str) -> None:
        self.roll = Random(key).random

    def chance(self, share: float) -> bool:
        return self.roll() < share

    def pick(self, items: Sequence[Any]) -> Any:
        return items[int(self.roll() * len(items))]


def fill(value: Any, slots: Record) -> Any:
    """The value with its slots filled in, all the way down; a lone slot keeps its type."""
    if isinstance(value, dict):
        return {key: fill(item, slots) for key, item in value.items()}
    if isinstance(value, list):
        return [fill(item, slots) for item in value]
    if not isinstance(value, str):
        return value
    return slots[value[1:]] if value[1:] in slots else Template(value).substitute(slots)


def world(dice: Dice, number: int, lang: str) -> Record:
    """Who writes and about what: the same in both runs."""
    name, city = dice.pick(WORDS["people"][lang]).split(", ")
    first, last = name.split(" ", 1)
    slots = {"name": first, "last": last, "city": city, "lang": lang, "n": f"{number:03}"}
    slots |= {"digit": 2 + int(7 * dice.roll())}
    slots |= {key: dice.pick(items) for key, items in WORDS["slots"].items()}
    for key, template in WORDS["derived"].items():
        slots[key] = fill(template, slots)
    total = int(12 + 300 * dice.roll() ** 2) + dice.pick([0.0, 0.5, 0.9, 0.95])
    return slots | {"total": total, "less": round(total - 4.95, 2)}


def prices(slots: Record) -> Record:
    """The two amounts as a text in the customer's language would give them."""
    texts = {"amount": f"{slots['total']:.2f}", "short": f"{slots['less']:.2f}"}
    return texts | {f"{key}_de": text.replace(".", ",") for key, text in texts.items()}


def task(number: int, kind: str) -> Record:
    """What a customer wants, the answer to it, and a wrong one."""
    dice, plan = Dice(f"task {number}"), WORDS["intents"][kind]
    lang = dice.pick(["en"] * 7 + ["de", "de", "ja"])
    slots = world(dice, number, lang)
    slots |= prices(slots) | {"task_id": f"t-{number:03}", "kind": kind, "question": ""}
    said = lang if lang in plan["ask"] else "en"
    chosen = dice.pick(WORDS["help"]) if kind == "policy" else {}
    answers = [fill(a, slots) for a in chosen.get("answers") or plan["answers"][said]]
    right = answers[0] if chosen else dice.pick(answers)
    wrongs = fill(plan.get("wrongs", {}).get(said), slots) or [a for a in answers if a != right]
    slots |= chosen | {"right": right, "wrong": dice.pick(wrongs), "said": said}
    ask, slots["tell"] = dice.pick(plan["ask"][said]), dice.pick(plan["tell"][said])
    known = {"search_orders"} if "$order" in ask else set()
    slots |= {"ask": fill(ask, slots), "status": fill(plan["status"], slots)}
    return slots | {"calls": [name for name in plan["calls"] if name not in known]}


def told(slots: Record, answer: str) -> Record:
    """The slots where `answer` is what is said."""
    slots = slots | {"answer": answer}
    return slots | {"article": fill(slots.get("article", ""), slots)}


def outcome(dice: Dice, run: Record, slots: Record) -> str:
    """How this run of the task ends: crash, right, wrong or deflect."""
    if dice.chance(run["crash"]):
        return "crash"
    spoilt = slots["kind"] == "refund" and slots["tier"] == "plus"
    if dice.chance(run["plus_refunds"] if spoilt else run["right"]):
        return "right"
    return "wrong" if spoilt or dice.chance(0.6) else "deflect"


def output(dice: Dice, run: Record, slots: Record, end: str) -> str:
    words = WORDS[slots["said"]]
    more = words["more" if "get_order" in slots["calls"] else "plain_more"]
    said = [dice.pick(words["hello" if dice.chance(run["greets"]) else "plain_hello"])]
    said += [words["boilerplate"]] * dice.chance(run["boilerplate"])
    said += [dice.pick(more)] * dice.chance(0.7)
    said += [dice.pick(words["deflect"]) if end == "deflect" else slots["tell"]]
    said += [dice.pick(more)] * dice.chance(0.4) + [dice.pick(words["bye"])]
    said += [dice.pick(words["sign"])] * dice.chance(run["signs"])
    breaks = [dice.pick([" ", "\n\n"]) for _ in said[1:]]
    text = "".join(part + gap for part, gap in zip(said, [*breaks, ""], strict=True))
    return fill(text, told(slots, slots["right" if end == "right" else "wrong"]))


def tasks() -> list[Record]:
    """All the tasks, their kinds in a mixed order."""
    dice = Dice("order")
    kinds = [kind for kind, plan in WORDS["intents"].items() for _ in range(plan["count"])]
    mixed = sorted((dice.roll(), kind) for kind in kinds)
    return [task(number, kind) for number, (_, kind) in enumerate(mixed, 1)]
