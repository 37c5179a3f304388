"""Runs as sequences of steps, and how well they keep to what was expected of them.

After the trajectory scorers of Mastra's evals 1.10.2. There, a step's arguments are compared only
where the expected step has a type, and with the order of their keys; repeats are held against a
run even where the expectation asks for them; and `no_redundant_calls = false` earns efficiency.
"""
