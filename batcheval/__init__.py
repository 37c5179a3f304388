"""Offline batch evaluation of recorded agent runs."""

__version__ = "0.1.0"
