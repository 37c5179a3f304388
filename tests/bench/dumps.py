"""Dumps of the layouts of the wild, made by repeating real files under ids of their own.

python dumps.py FAMILY MEGABYTES PATH
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
from measure import HERE

FOLDERS = (HERE.parents[2] / "shared" / "traces", HERE.parent / "data" / "traces")
_TRACE = ("trace_id", "traceId", "sessionId", "session_id", "threadId", "thread_id", "custom_id")
_MARK = "@@number@@"
_FILE = 1 << 20  # bytes of a session's file


@dataclass(frozen=True)
class Family:
    """Files of one layout, and how a large dump of it lies on disk.

    Attributes:
        files: the real ones, of which those are taken that are there.
        form: `"lines"` one file of JSON lines, `"files"` a folder of documents or sessions,
            `"parquet"` a table.
        goal: the megabytes a CPU second that are asked for.
    """

    files: tuple[str, ...]
    form: str = "lines"
    goal: float = 15.0

    def found(self) -> list[Path]:
        paths = [next((f / n for f in FOLDERS if (f / n).exists()), None) for n in self.files]
        return [path for path in paths if path is not None]


FAMILIES: dict[str, Family] = {
    "openai_chat": Family(
        (
            "openai_chat/stock-train-token-reduction.jsonl",
            "openai_chat/stock-train-hallucination.jsonl",
            "openai_chat/openhands_fncall_messages.json",
        ),
        goal=40.0,
    ),
    "tau_bench": Family(
        ("tau_bench/gpt-4o-airline.0-49.json", "tau_bench/MockAirlineDomainEnv-few_shot.jsonl")
    ),
    "openai_responses": Family(("openai_responses/openai_responses_a.jsonl",)),
    "sharegpt": Family(("sharegpt/glaive_toolcall_en_demo.json",)),
    "llamafactory_v1": Family(("llamafactory_v1/reason_tool_use_demo_50.jsonl",)),
    "anthropic_messages": Family(("anthropic_messages/anthropic_responses_a.jsonl",)),
    "azure_eval": Family(("azure_eval/evaluation_data.jsonl",)),
    "claude_code": Family(
        (
            "claude_code/fe5e1c67-53e7-4862-81ae-d0e013e3270b.jsonl",
            "claude_code/1af7fc5e-8455-4414-9ccd-011d40f70b2a.jsonl",
        ),
        "files",
    ),
    "codex_rollout": Family(("codex_rollout/fixture-codex-patch.jsonl",), "files"),
    "pi_session": Family(("pi_session/large-session.jsonl",), "files"),
    "inspect": Family(
        (
            "inspect/2025-05-12T20-27-36-04-00_browser.json",
            "inspect/log_tool_call_error.json",
        ),
        "files",
    ),
    "langsmith": Family(
        (
            "langsmith/langsmith_py_wrap_openai_.json",
            "langsmith/langsmith_py_wrap_openai_stream.json",
        )
    ),
    "langfuse": Family(
        (
            "langfuse/langgraph-python-2025-08-22.trace.json",
            "langfuse/llamaindex-2025-06-05.trace.json",
            "langfuse/autogen-2025-06-06.trace.json",
        )
    ),
    "otlp_json": Family(("otlp_json/langwatch_payloads.jsonl",)),
    "otel_genai_spans": Family(("otel_genai_spans/otel_genai_convention_spans.json",)),
    "openinference_spans": Family(
        (
            "openinference_spans/openai_agents_openinference_live_spans.json",
            "openinference_spans/openinference_adot_spans.json",
        )
    ),
    "phoenix_parquet": Family(("parquet_phoenix/openai_agents_spans.parquet",), "parquet"),
    "tau_parquet": Family(("parquet_hf/tau_airline.messages_struct.parquet",), "parquet"),
    "mastra": Family(("mastra/om_prestate_messages.excerpt.json",)),
}


def path_of(name: str, megabytes: int, folder: Path) -> Path:
    """Where the dump of a family lies."""
    ending = {"lines": ".jsonl", "files": "", "parquet": ".parquet"}[FAMILIES[name].form]
    return folder / f"dump-{name}-{megabytes}{ending}"


def make(name: str, megabytes: int, path: Path) -> None:
    """Write the dump of a family, about so large."""
    family = FAMILIES[name]
    enough = megabytes * 1_000_000
    if family.form == "parquet":
        _table(family, enough, path)
    elif family.form == "files":
        _sessions(family, enough, path)
    else:
        with path.open("w", encoding="utf-8") as out:
            bodies = list(map(_lines, family.found()))
            for number in range(enough):
                out.writelines(body.replace(_MARK, str(number)) for body in bodies)
                if out.tell() >= enough:
                    return


def _lines(path: Path) -> str:
    """A file's records, a line each, with a mark in their traces' ids."""
    return "".join(
        json.dumps(_marked(record, is_top=True), ensure_ascii=False) + "\n"
        for record in _records(path)
    )


def _records(path: Path) -> Iterator[Any]:
    text = path.read_text(encoding="utf-8")
    try:
        whole = json.loads(text)
    except ValueError:
        yield from (json.loads(line) for line in text.split("\n") if line.strip())
        return
    if isinstance(whole, list) and "role" in whole[0] and whole[0].keys().isdisjoint(_TRACE):
        yield {"id": path.stem, "messages": whole}  # one conversation
    else:
        yield from whole if isinstance(whole, list) else [whole]


def _marked(value: Any, is_top: bool = False) -> Any:
    if isinstance(value, list):
        return [_marked(item) for item in value]
    if not isinstance(value, dict):
        return value
    keys = (*_TRACE, "id") if is_top and "parent_id" not in value else _TRACE
    return {
        key: f"{held}{_MARK}" if key in keys and isinstance(held, str) else _marked(held)
        for key, held in value.items()
    }


def _sessions(family: Family, enough: int, folder: Path) -> None:
    """A folder of files, each of one session or document."""
    folder.mkdir()
    size = number = 0
    bodies = {path: _lines(path) for path in family.found()}
    while size < enough:
        for path, body in bodies.items():
            repeats = 1 if path.suffix == ".json" else max(1, _FILE // 2 // len(body))
            told = body.replace(_MARK, str(number)) * repeats
            (folder / f"{number:06}{path.suffix}").write_text(told, encoding="utf-8")
            size, number = size + len(told.encode()), number + 1


def _table(family: Family, enough: int, path: Path) -> None:
    """A Parquet file of as many rows as make so much JSON."""
    [table] = map(pl.read_parquet, family.found())
    times = max(1, enough // len(table.write_ndjson().encode()))
    ids = [name for name in table.columns if name.endswith("trace_id")]
    number = pl.col("_number").cast(pl.String)
    pl.concat(
        table.lazy()
        .with_columns(pl.lit(n).alias("_number"))
        .with_columns((pl.col(name) + number).alias(name) for name in ids)
        .drop("_number")
        for n in range(times)
    ).sink_parquet(path, row_group_size=25_000)


if __name__ == "__main__":
    make(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))
