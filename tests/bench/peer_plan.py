"""What `peers.py` compares: the peers, what each is installed with, and the checks of each."""

from dataclasses import dataclass

SWITCHES = {  # no peer reports what it does, or asks a host for anything
    "OPIK_TRACK_DISABLE": "true",
    "OPIK_SENTRY_ENABLE": "false",
    "DEEPEVAL_TELEMETRY_OPT_OUT": "1",
    "RAGAS_DO_NOT_TRACK": "true",
    "DO_NOT_TRACK": "1",
    "LANGSMITH_TRACING": "false",
    "HF_HUB_OFFLINE": "1",
}
THREADS = ("POLARS_MAX_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS")

TEXT, TOOLS, KERNEL = 5.0, 20.0, 0.9  # the goals: how many times the peer's rate


@dataclass(frozen=True)
class Peer:
    """A library: its module of jobs, what pip installs, its checks and the share of the rows."""

    module: str
    requirements: tuple[str, ...]
    checks: tuple[str, ...]
    goal: float = TEXT
    share: float = 1.0  # of the rows, for a slow peer

    @property
    def version(self) -> str:
        return self.requirements[0].partition("==")[2]

    def goal_of(self, check: str) -> float:
        return TOOLS if check.startswith("tool") and self.goal > 1 else self.goal


CHECKS_OF_TOOLS = ("tools_exact", "tools_any_order", "tools_subset", "tools_superset")

PEERS = {
    "rapidfuzz": Peer(
        "of_rapidfuzz",
        ("rapidfuzz==3.14.6",),
        ("levenshtein", "indel_ratio", "jaro_winkler", "token_sort_ratio", "token_set_ratio"),
        KERNEL,
    ),
    "autoevals": Peer(
        "of_autoevals",
        ("autoevals==0.4.1",),
        (
            *("levenshtein", "equals", "json_similarity", "number_similarity"),
            *("json_equal", "is_json", "json_schema"),
        ),
    ),
    "opik": Peer(
        "of_opik",
        ("opik==2.2.122", "nltk", "rouge-score"),
        (
            *("includes", "equals", "matches", "is_json", "levenshtein"),
            *("bleu", "rouge_1", "rouge_l"),
        ),
        share=0.2,
    ),
    "inspect_ai": Peer(
        "of_inspect",
        ("inspect-ai==0.3.285",),
        ("includes", "quasi_exact_match", "ends_with", "matches", "token_f1"),
    ),
    "deepeval": Peer(
        "of_deepeval",
        ("deepeval==4.3.1",),
        ("equals", "matches", "quasi_exact_match", "tools_exact", "tool_recall"),
        share=0.2,
    ),
    "evidently": Peer(
        "of_evidently",
        ("evidently==0.7.23", "pandas<3"),
        (
            *("includes_a_word", "includes_any", "starts_with", "matches", "equals"),
            *("char_count", "word_count", "sentence_count"),
            *("is_json", "is_python", "is_sql", "json_equal"),
        ),
    ),
    "agentevals": Peer("of_agentevals", ("agentevals==0.0.9",), CHECKS_OF_TOOLS, share=0.2),
}

# Peers that give a count where our check holds it against limits.
LIMITS = {"char_count": (200, 1_000), "word_count": (50, 200), "sentence_count": (3, 10)}
