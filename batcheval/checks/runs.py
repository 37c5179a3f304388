"""Checks of a whole run: its tool calls and its trajectory against what was expected."""

__all__: list[str] = []
