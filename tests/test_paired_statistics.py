"""The statistics of pairs, number by number: against scipy, statsmodels and slow plain twins."""

import itertools
import math
from fractions import Fraction
from statistics import NormalDist, fmean, stdev
from types import SimpleNamespace

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as oracle_mcnemar
from statsmodels.stats.multitest import multipletests

from batcheval.comparing import bootstrap
from batcheval.comparing.bootstrap import acceleration, bca, corrected, draws, expanded
from batcheval.comparing.effects import cohen_dz, detectable
from batcheval.comparing.families import benjamini_hochberg, holm
from batcheval.comparing.pass_fail import adjusted_interval, cohen_g, mcnemar
from batcheval.comparing.signed_rank import signed_rank
from batcheval.comparing.significance import error_interval, robust_t
from batcheval.comparing.units import Units, sample_of, standard_error, units_of

SAME = {"rel": 1e-9, "abs": 1e-12}
COARSE = st.integers(-5, 5).map(lambda n: n / 5)
FINE = st.floats(-1, 1).map(lambda x: round(x, 12))
DIFFERENCES = st.one_of(st.lists(COARSE, max_size=80), st.lists(FINE, max_size=80))
COUNT = st.integers(0, 2_000)


def array(values: list[float]) -> np.ndarray:
    return np.array(values, dtype=np.float64)


@settings(max_examples=40, deadline=None)
@given(COUNT, COUNT)
def test_mcnemar_is_that_of_scipy_and_statsmodels(wins: int, losses: int) -> None:
    p = mcnemar(wins, losses)
    if wins + losses:
        assert p == pytest.approx(stats.binomtest(wins, wins + losses).pvalue, **SAME)
        table = [[7, wins], [losses, 9]]
        assert p == pytest.approx(min(1.0, oracle_mcnemar(table, exact=True).pvalue), **SAME)
    else:
        assert p == 1.0


@pytest.mark.parametrize(("wins", "losses"), [(0, 0), (1, 0), (3, 9), (600, 600), (540, 660)])
def test_mcnemar_counts_the_ways(wins: int, losses: int) -> None:
    """1,200 pairs that differ: 2^1200 is no float."""
    total = wins + losses
    ways = sum(math.comb(total, k) for k in range(min(wins, losses) + 1))
    exact = min(Fraction(1), Fraction(2 * ways, 2**total))
    assert mcnemar(wins, losses) == pytest.approx(float(exact), **SAME)


def test_mcnemar_of_very_many_pairs() -> None:
    assert mcnemar(500_000, 500_000) == 1.0
    assert 0 <= mcnemar(400_000, 600_000) < 1e-300


@pytest.mark.parametrize("pairs", [3, 10, 25])
def test_the_interval_of_shares_holds_what_it_promises(pairs: int) -> None:
    """Over all outcomes, weighted by likelihood, for several true shares of wins and losses."""
    for won, lost in [(0.1, 0.1), (0.3, 0.1), (0.2, 0.5), (0.02, 0.02), (0.45, 0.45)]:
        held = 0.0
        for wins in range(pairs + 1):
            for losses in range(pairs + 1 - wins):
                low, high = adjusted_interval(pairs, wins, losses, 0.95)
                counts = [wins, losses, pairs - wins - losses]
                if low <= won - lost <= high:
                    held += stats.multinomial.pmf(counts, pairs, [won, lost, 1 - won - lost])
        assert 0.92 < held <= 1 + 1e-9


def test_the_interval_of_shares_by_hand() -> None:
    pairs, wins, losses = 48, 12, 4
    won, lost = 13 / 50, 5 / 50
    width = NormalDist().inv_cdf(0.95) * math.sqrt((won + lost - (won - lost) ** 2) / 50)
    expected = (won - lost - width, won - lost + width)
    assert adjusted_interval(pairs, wins, losses, 0.9) == pytest.approx(expected, **SAME)
    low, high = adjusted_interval(1, 1, 0, 0.99)
    assert -1 <= low < high <= 1


def test_cohen_g() -> None:
    assert (cohen_g(3, 1), cohen_g(0, 2), cohen_g(0, 0)) == (0.25, -0.5, 0.0)


def signs(differences: list[float]) -> float:
    """The exact p of the signed-rank test: all ways to sign the ranks, one by one."""
    kept = [d for d in differences if d]
    sizes = [abs(d) for d in kept]
    ranks = [
        Fraction(sum(s < size for s in sizes) * 2 + sizes.count(size) + 1, 2) for size in sizes
    ]
    observed = sum((r for r, d in zip(ranks, kept, strict=True) if d > 0), Fraction(0))
    sums = [sum(chosen, Fraction(0)) for chosen in itertools.product(*((0, r) for r in ranks))]
    tail = min(sum(s <= observed for s in sums), sum(s >= observed for s in sums))
    return min(1.0, 2 * tail / len(sums))


@settings(max_examples=40, deadline=None)
@given(st.one_of(st.lists(COARSE, max_size=9), st.lists(FINE, max_size=9)))
def test_signed_rank_of_few_goes_through_all_signs(differences: list[float]) -> None:
    assert signed_rank(array(differences)) == pytest.approx(signs(differences), **SAME)


@settings(deadline=None)
@given(DIFFERENCES)
def test_signed_rank_is_that_of_scipy(differences: list[float]) -> None:
    kept = array([d for d in differences if d])
    p = signed_rank(array(differences))
    if kept.size == 0:
        assert p == 1.0
    elif kept.size > 50:
        expected = stats.wilcoxon(kept, method="asymptotic", correction=False).pvalue
        assert p == pytest.approx(expected, **SAME)
    elif len(set(np.abs(kept))) == kept.size:
        assert p == pytest.approx(stats.wilcoxon(kept, method="exact").pvalue, **SAME)
    assert 0 <= p <= 1
    assert signed_rank(-array(differences)) == pytest.approx(p, **SAME)


def test_signed_rank_takes_rounding_for_equal() -> None:
    base, candidate = array([0.6, 0.3, 0.1, 0.2]), array([0.7, 0.4, 0.2, 0.1])
    differences = sample_of(base, candidate, None).differences
    assert len(set(np.abs(differences))) == 1
    assert signed_rank(differences) == signs([1, 1, 1, -1])


CLUSTERED = st.lists(st.tuples(st.integers(0, 6), COARSE), min_size=2, max_size=60)


def twin_error(differences: list[float], clusters: list[int]) -> float:
    """The products of all pairs of residuals within a cluster, summed, as Miller 2024 has it."""
    n, mean = len(differences), fmean(differences)
    away = [(c, d - mean) for c, d in zip(clusters, differences, strict=True)]
    products = sum(x * y for (c, x), (k, y) in itertools.product(away, away) if c == k)
    groups = len(set(clusters))
    return math.sqrt(max(0.0, products) * groups / (groups - 1)) / n


@settings(max_examples=40, deadline=None)
@given(CLUSTERED)
def test_the_standard_error_is_that_of_statsmodels(rows: list[tuple[int, float]]) -> None:
    clusters, differences = [c for c, _ in rows], [d for _, d in rows]
    units = units_of(array(differences), np.array(clusters))
    error = standard_error(units)
    if len(set(clusters)) == 1:
        assert error is None
        assert robust_t(units) is None
        return
    assert error == pytest.approx(twin_error(differences, clusters), rel=1e-9, abs=1e-9)
    if error < 1e-6:
        return
    fit = sm.OLS(array(differences), np.ones(len(rows))).fit(
        cov_type="cluster", cov_kwds={"groups": np.array(clusters)}, use_t=True
    )
    assert error == pytest.approx(fit.bse[0], **SAME)
    assert robust_t(units) == pytest.approx(fit.pvalues[0], **SAME)
    found = error_interval(units, error, 0.9)
    assert list(found.values()) == pytest.approx(list(fit.conf_int(0.1)[0]), **SAME)


@settings(deadline=None)
@given(st.lists(COARSE, min_size=2, max_size=40))
def test_without_clusters_it_is_the_paired_t_test(differences: list[float]) -> None:
    units = units_of(array(differences), None)
    error = standard_error(units)
    expected = stdev(differences) / math.sqrt(len(differences))
    assert error == pytest.approx(expected, rel=1e-9, abs=1e-11)
    alone = units_of(array(differences), np.arange(len(differences)))
    assert standard_error(alone) == error
    if expected > 1e-6:
        zeros = [0.0] * len(differences)
        assert robust_t(units) == pytest.approx(stats.ttest_rel(differences, zeros).pvalue, **SAME)


def test_clusters_that_all_differ_alike() -> None:
    assert robust_t(units_of(array([0.5] * 8), np.arange(8) // 2)) == 2 / 2**4
    assert robust_t(units_of(array([0.0] * 8), np.arange(8) // 2)) == 1.0


P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@settings(max_examples=10, deadline=None)  # statsmodels takes its time
@given(P_VALUES, st.integers(0, 12))
def test_families_are_those_of_statsmodels(p_values: list[float], place: int) -> None:
    for adjust, method in ((holm, "holm"), (benjamini_hochberg, "fdr_bh")):
        expected = multipletests(p_values, method=method)[1]
        assert adjust(p_values) == pytest.approx(list(expected), **SAME)
        gap = min(place, len(p_values))
        untested = [*p_values[:gap], None, *p_values[gap:]]
        adjusted = adjust(untested)
        assert adjusted.pop(gap) is None
        assert adjusted == pytest.approx(list(expected), **SAME)


def test_families_of_nothing() -> None:
    assert holm([]) == benjamini_hochberg([]) == []
    assert holm([None]) == benjamini_hochberg([None]) == [None]


RANDOM = np.random.default_rng(5)
SKEWED = np.round(RANDOM.exponential(0.3, 40) - 0.2, 12)
GROUPS = np.sort(RANDOM.integers(0, 12, 40))


def ratio(total: np.ndarray, size: np.ndarray, axis: int = -1) -> np.ndarray:
    return total.sum(axis=axis) / size.sum(axis=axis)


@pytest.mark.parametrize("codes", [None, GROUPS], ids=["pairs", "clusters"])
@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
def test_bca_is_that_of_scipy_on_the_same_resamples(
    codes: np.ndarray | None, confidence: float
) -> None:
    units = units_of(SKEWED, codes)
    means = draws(units.total[:, None], units.size[:, None], 2_000, seed=3)[:, 0]
    drawn = SimpleNamespace(bootstrap_distribution=means)
    oracle = stats.bootstrap(
        (units.total, units.size),
        ratio,
        paired=True,
        vectorized=True,
        n_resamples=0,
        bootstrap_result=drawn,
        confidence_level=confidence,
        method="BCa",
    )
    assert corrected(units, means, confidence) == pytest.approx(
        tuple(oracle.confidence_interval), **SAME
    )


@pytest.mark.parametrize("codes", [None, GROUPS], ids=["pairs", "clusters"])
def test_resamples_are_drawn_as_scipy_draws_them(codes: np.ndarray | None) -> None:
    units = units_of(SKEWED, codes)
    means = draws(units.total[:, None], units.size[:, None], 10_000, seed=0)[:, 0]
    oracle = stats.bootstrap(
        (units.total, units.size), ratio, paired=True, n_resamples=10_000, rng=1
    ).bootstrap_distribution
    assert stats.ks_2samp(means, oracle).pvalue > 0.001
    assert means.mean() == pytest.approx(units.mean, abs=0.01)


def test_only_clusters_keep_the_promise_where_trials_are_alike() -> None:
    """Of 300 intervals at 0.9 over 40 tasks with 5 trials each, near 270 hold the true mean."""
    random, codes = np.random.default_rng(0), np.repeat(np.arange(40), 5)
    held = np.zeros(3, dtype=int)
    for seed in range(300):
        scores = np.repeat(random.exponential(1, 40) - 1, 5) + random.normal(0, 0.2, 200)
        clustered, alone = units_of(scores, codes), units_of(scores, None)
        ends = [*bca([clustered], 0.9, 200, seed), *bca([alone], 0.9, 200, seed)]
        ends.append(tuple(error_interval(clustered, standard_error(clustered), 0.9).values()))
        held += [low <= 0 <= high for low, high in ends]
    by_cluster, by_pair, robust = held / 300
    assert 0.84 < by_cluster < 0.95
    assert 0.84 < robust < 0.95
    assert by_pair < 0.65


def test_acceleration_leaves_one_unit_out_at_a_time() -> None:
    units = units_of(SKEWED, GROUPS)
    left = [
        np.delete(units.total, i).sum() / np.delete(units.size, i).sum()
        for i in range(units.size.size)
    ]
    away = [fmean(left) - value for value in left]
    expected = sum(a**3 for a in away) / (6 * sum(a**2 for a in away) ** 1.5)
    assert acceleration(units) == pytest.approx(expected, **SAME)


def test_the_expansion_is_close_to_resamples() -> None:
    values = np.round(np.random.default_rng(1).exponential(0.1, 1_000) - 0.09, 12)
    units = units_of(values, None)
    means = draws(units.total[:, None], units.size[:, None], 20_000, seed=0)[:, 0]
    error = standard_error(units)
    assert error
    for found, drawn in zip(expanded(units, 0.95), corrected(units, means, 0.95), strict=True):
        assert abs(found - drawn) < 0.06 * error  # of which the draws themselves are 0.03


def test_many_units_are_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    units = units_of(SKEWED, None)
    drawn = bca([units], 0.95, 500, 0)
    monkeypatch.setattr(bootstrap, "SIMULATED", 39)
    monkeypatch.setattr(bootstrap, "draws", None)
    assert bca([units], 0.95, 500, 0) == [expanded(units, 0.95)] != drawn


def test_an_interval_depends_on_its_own_units_and_the_seed() -> None:
    one, two = units_of(SKEWED, None), units_of(-SKEWED[::-1].copy(), None)
    three = units_of(SKEWED, GROUPS)
    together = bca([one, two, three], 0.95, 400, 7)
    for units, found in zip((one, two, three), together, strict=True):
        assert bca([units], 0.95, 400, 7)[0] == pytest.approx(found, **SAME)
    assert together == bca([one, two, three], 0.95, 400, 7)
    assert together[0] != bca([one], 0.95, 400, 8)[0]


@pytest.mark.parametrize("at_once", [1, 30, 12_000])
def test_draws_come_in_blocks(monkeypatch: pytest.MonkeyPatch, at_once: int) -> None:
    """Whatever fits in memory, a row is the mean of as many units as there are."""
    monkeypatch.setattr(bootstrap, "_AT_ONCE", at_once)
    units = units_of(np.arange(12.0), None)
    means = draws(np.column_stack([units.total, np.ones(12)]), units.size[:, None], 101, seed=0)
    assert means.shape == (101, 2)
    assert means[:, 1].tolist() == [1.0] * 101
    assert (np.rint(means[:, 0] * 12) / 12).tolist() == pytest.approx(means[:, 0].tolist())
    assert len(set(means[:, 0])) > 20


def test_units_without_spread() -> None:
    assert bca([Units(np.full(9, 0.25), np.ones(9))], 0.95, 200, 0) == [(0.25, 0.25)]


@given(st.lists(COARSE, min_size=2, max_size=30))
def test_cohen_dz(differences: list[float]) -> None:
    found, spread = cohen_dz(array(differences)), stdev(differences)
    if not any(differences):
        assert found == 0.0
    elif spread < 1e-9:
        assert found is None
    else:
        assert found == pytest.approx(fmean(differences) / spread, **SAME)


def test_the_detectable_difference_is_detected_in_four_of_five() -> None:
    error = 0.03
    found = detectable(error, 0.95)
    assert found
    power = 1 - NormalDist(found, error).cdf(NormalDist(0, error).inv_cdf(0.975))
    assert power == pytest.approx(0.8, **SAME)
    assert detectable(0.0, 0.95) is detectable(None, 0.95) is None
