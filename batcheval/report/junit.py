"""Scores and comparisons as JUnit XML, which the pages of build servers show."""

from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from typing import Final

from junitparser import Failure, JUnitXml, Skipped, TestCase, TestSuite

from batcheval.comparing import WORSE
from batcheval.findings import Change, Group, RunFindings, failures, falls
from batcheval.judging import Judged, Judgement
from batcheval.report.judgement import part_of
from batcheval.report.page.safe import visible
from batcheval.report.said import said_of_scorer

_LONGEST: Final = 300  # characters of a name or message
_TOLERATED: Final = "tolerated: no gate asks for more"
_NO_WORSE: Final = "tolerated: the scorer is not worse over all pairs"


def run_junit(found: RunFindings) -> str:
    """A suite a scorer: its gates, the traces that scored 0.0 in groups, the unscored ones.

    A group is a failure where the scorer missed a gate, else it is skipped.
    """
    suites = []
    for row in found.scorers.to_dicts():
        scorer, mean = row["scorer"], row["mean"]
        gates = [gate for gate in found.judgement.gates if gate.scorer == scorer]
        excuse = _TOLERATED if all(gate.passed for gate in gates) else None
        cases = [*_gates(gates), *_groups(failures(found.run, scorer), "trace", excuse)]
        if row["unscored"]:
            cases.append(_skipped("unscored", f"{row['unscored']:,} traces have no score"))
        if row["scored"] and not row["zero"]:
            cases.append(TestCase("no trace scored 0.0"))
        facts = {"mean": mean, "low": row["ci_low"], "high": row["ci_high"]}
        counts = {"scored": row["scored"], "unscored": row["unscored"]}
        suites.append(_suite(scorer, cases, facts | counts))
    return _document(suites)


def comparison_junit(changes: Sequence[Change], judgements: Sequence[Judgement] = ()) -> str:
    """A suite a scorer: its verdict, its gates, the pairs that fell in groups.

    A group is a failure where the scorer is worse or missed a gate, else it is skipped.
    """
    judged = list(judgements) or [Judgement([], None)] * len(changes)
    suites = []
    for change, judgement in zip(changes, judged, strict=True):
        compared, rows = change.comparison, change.comparison.scorers.to_dicts()
        for row in rows:
            scorer = row["scorer"]
            gates = [gate for gate in judgement.gates if gate.scorer == scorer]
            bad = row["verdict"] == WORSE or not all(gate.passed for gate in gates)
            said = said_of_scorer(row, compared.settings.confidence, len(rows))
            verdict = TestCase("not worse")
            if row["verdict"] == WORSE:
                verdict.result = [_failure(said, said)]
            groups = falls(change.pairs, scorer, compared.key)
            cases = [verdict, *_gates(gates)]
            cases += _groups(groups, "pair", None if bad else _NO_WORSE)
            facts = {name: row[name] for name in ("base", "candidate", "difference", "low", "high")}
            name = scorer if len(changes) == 1 else f"{compared.candidate}: {scorer}"
            suites.append(_suite(name, cases, facts | {"pairs": row["n"]}))
    return _document(suites)


def _document(suites: Iterable[TestSuite]) -> str:
    document, file = JUnitXml("batcheval"), BytesIO()
    for suite in suites:
        document.add_testsuite(suite)
    document.update_statistics()  # type: ignore[no-untyped-call]
    document.write(file, pretty=True)
    return file.getvalue().decode("utf-8")


def _suite(name: str, cases: Sequence[TestCase], facts: dict[str, float | None]) -> TestSuite:
    suite = TestSuite(_clean(name))
    for key, value in facts.items():
        if value is not None:
            suite.add_property(key, f"{value:.6g}")
    for case in cases:
        case.classname = _clean(name)
        suite.add_testcase(case)
    return suite


def _gates(gates: Iterable[Judged]) -> Iterator[TestCase]:
    for gate in gates:
        part = part_of(gate)
        case = TestCase(_clean(f"gate {gate.key}" if part is None else f"gate {gate.key}, {part}"))
        if gate.passed:
            case.system_out = _clean(gate.found)
        else:
            case.result = [_failure(gate.found, gate.found)]
        yield case


def _groups(groups: Iterable[Group], noun: str, excuse: str | None) -> Iterator[TestCase]:
    for group in groups:
        number = f"{group.number:,} {noun}{'' if group.number == 1 else 's'}"
        more = group.number - len(group.named)
        lines = [*([group.example] if group.example else []), *group.named]
        lines += [f"and {more:,} more"] if more else []
        if excuse is None:
            case = TestCase(_clean(group.what))
            case.result = [_failure(f"{number}: {group.what}", "\n".join(lines))]
            yield case
        else:
            yield _skipped(group.what, f"{number}; {excuse}")


def _failure(message: str, text: str) -> Failure:
    failure = Failure(_clean(message), "score")
    failure.text = "\n".join(map(_clean, text.split("\n")))
    return failure


def _skipped(name: str, message: str) -> TestCase:
    case = TestCase(_clean(name))
    case.result = [Skipped(_clean(message))]
    return case


def _clean(text: str) -> str:
    """The text on one line of bounded length, with no character that XML cannot hold."""
    line = visible(" ".join(str(text).split()))
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
