"""JSON values as the texts that the canonical table keeps, spelled as the dump spelled them."""

from typing import Final

import msgspec

decode_string: Final = msgspec.json.Decoder(str).decode


def as_written(raw: bytes) -> str | None:
    """The text of a string, None for null, else the JSON text itself.

    Example:
        >>> as_written(b'"a"'), as_written(b"1e2"), as_written(b"null")
        ('a', '1e2', None)
    """
    if raw[:1] == b'"':
        return decode_string(raw)
    return None if raw in (b"null", b"") else raw.decode()


def text_of(raw: bytes) -> str | None:
    """What a value says: like `as_written`, but a list of content parts is the text in them.

    Example:
        >>> text_of(b'[{"type": "text", "text": "three"}]'), text_of(b'["a", "b"]')
        ('three', '["a", "b"]')
    """
    if raw[:1] == b"[":
        return content_text(raw)
    return as_written(raw)


def content_text(raw: bytes) -> str:
    """The text parts of a message's content, one after the other; else the JSON text."""
    try:
        parts = msgspec.json.decode(raw, type=list[dict[str, msgspec.Raw]])
    except (msgspec.DecodeError, RecursionError):
        return raw.decode()
    if any("type" not in part for part in parts):
        return raw.decode()
    texts = [part["text"] for part in parts if bytes(part["type"]) == b'"text"' and "text" in part]
    return "".join(as_written(bytes(text)) or "" for text in texts)


def unwrap(raw: bytes) -> str | None:
    r"""The JSON in a value: a string that holds JSON is that JSON, however often it was encoded.

    Example:
        >>> unwrap(rb'{"q": 1}'), unwrap(rb'"{\"q\": 1}"'), unwrap(rb'"{bad"'), unwrap(b'""')
        ('{"q": 1}', '{"q": 1}', '{bad', '')
    """
    text = as_written(raw)
    return text if text is None or raw[:1] != b'"' else unwrap_text(text)


def unwrap_text(text: str) -> str:
    """`unwrap` for a text that is already out of its first encoding."""
    while text[:1] == '"':
        try:
            text = decode_string(text)
        except msgspec.DecodeError:
            break
    return text
