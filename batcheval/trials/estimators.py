"""pass@k and pass^k of tasks, from the trials that each had: unbiased estimates."""

import numpy as np

from batcheval.comparing.units import Floats


def pass_at_k(trials: Floats, successes: Floats, k: int) -> Floats:
    """The chance that at least one of k trials of a task succeeds, in 0..1.

    1 - C(n - c, k) / C(n, k), after Chen et al. 2021, "Evaluating Large Language Models Trained on
    Code" (arXiv 2107.03374), section 2.1; unlike 1 - (1 - c / n)^k it is unbiased.

    Args:
        trials: how many each task had, n, at least k.
        successes: how many of them succeeded, c.
        k: at least 1.

    Example:
        >>> pass_at_k(np.array([4.0, 4.0]), np.array([1.0, 3.0]), 2).tolist()
        [0.5, 1.0]
    """
    return 1 - all_among(trials - successes, trials, k)


def pass_hat_k(trials: Floats, successes: Floats, k: int) -> Floats:
    """The chance that all of k trials of a task succeed, in 0..1.

    C(c, k) / C(n, k), the pass^k of Yao et al. 2024, "tau-bench: A Benchmark for Tool-Agent-User
    Interaction in Real-World Domains" (arXiv 2406.12045).

    Args:
        trials: how many each task had, n, at least k.
        successes: how many of them succeeded, c.
        k: at least 1.

    Example:
        >>> pass_hat_k(np.array([4.0, 4.0]), np.array([1.0, 3.0]), 2).tolist()
        [0.0, 0.5]
    """
    return all_among(successes, trials, k)


def all_among(some: Floats, trials: Floats, k: int) -> Floats:
    """The chance that k trials, drawn without putting any back, are all among `some` of them.

    A product of k ratios: binomial coefficients of some thousand trials are no floats.
    """
    chance = np.ones(trials.size)
    for drawn in range(k):
        chance *= np.maximum(some - drawn, 0) / (trials - drawn)
    return chance
