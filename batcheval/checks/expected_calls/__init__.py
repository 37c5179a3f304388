"""Checks of tool calls against those that were expected."""

__all__: list[str] = []
