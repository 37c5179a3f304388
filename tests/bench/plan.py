"""What a measurement is: a command, the rows it goes through, and what is hoped for."""

from dataclasses import dataclass
from pathlib import Path

from measure import Command, Rounds

PAIRS = 50_000


@dataclass(frozen=True)
class Goal:
    """A quantity of a measurement, by itself or against another one's, and its bound."""

    what: str  # cpu, wall, peak, rows or mb (a CPU second)
    bound: float | None = None
    against: str | None = None

    @property
    def is_rate(self) -> bool:
        return self.what in ("rows", "mb")

    def value(self, rounds: Rounds, name: str, amount: float) -> float:
        if self.is_rate:
            return amount / rounds.typical(name, "cpu")
        if self.against:
            return rounds.ratio(name, self.against, self.what)
        return rounds.typical(name, self.what)

    def met(self, value: float) -> bool | None:
        if self.bound is None:
            return None
        return value >= self.bound if self.is_rate else value <= self.bound


@dataclass(frozen=True)
class Measurement:
    command: Command
    rows: int = 0
    goals: tuple[Goal, ...] = ()
    amount: float = 0.0  # megabytes, where these are what a rate counts


@dataclass(frozen=True)
class Part:
    title: str
    measurements: dict[str, Measurement]
    threads: int | None = 1
    needs: tuple[str, ...] = ()  # Parquet files that must be there


@dataclass(frozen=True)
class Setting:
    """Where the data is, and how much of it."""

    folder: Path
    traces: int
    big: int
    megabytes: int = 200
    layouts: tuple[str, ...] = ()

    def file(self, ending: str, count: int | None = None) -> str:
        return str(self.folder / f"traces-{count or self.traces}.{ending}")

    @property
    def out(self) -> str:
        return str(self.folder / "scores.parquet")

    @property
    def pairs(self) -> str:
        return str(self.folder / f"pairs-{PAIRS}.parquet")

    def runs(self, count: int) -> tuple[str, str]:
        """The scores of two runs."""
        files = [str(self.folder / f"{name}-{count}.parquet") for name in ("runs", "others")]
        return files[0], files[1]
