"""Checks of how much of what was asked an output covers."""

__all__: list[str] = []
