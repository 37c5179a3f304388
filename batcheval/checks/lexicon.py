"""Checks that rest on word lists: the tone of a text, the keywords that it covers."""

__all__: list[str] = []
