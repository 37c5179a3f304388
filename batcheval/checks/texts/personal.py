"""Personal data in texts: where it stands and of which kind.

E-mail addresses after RFC 5321; phone numbers in international form (E.164) or as written in North
America (NANP) or with a trunk zero; payment cards of 13 to 19 digits with a right check digit
(ISO/IEC 7812, Luhn); bank accounts with the length of their country and a right checksum (ISO
13616); keys by the prefixes that their issuers document.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

# ISO 13616: how long an IBAN is, by country.
_LENGTHS: Final = """
AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28
EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26
IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28
NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25
SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30
"""
IBAN_LENGTHS: Final = {code[:2]: int(code[2:]) for code in _LENGTHS.split()}

_KEYS: Final = [
    r"A(?:KIA|SIA)[0-9A-Z]{16}(?![0-9A-Za-z])",  # AWS
    r"gh[opsur]_[0-9A-Za-z]{36,255}",  # GitHub
    r"github_pat_[0-9A-Za-z_]{40,255}",
    r"glpat-[0-9A-Za-z_-]{20,}",  # GitLab
    r"sk-[0-9A-Za-z_-]{20,}",  # OpenAI, Anthropic
    r"AIza[0-9A-Za-z_-]{35}",  # Google
    r"xox[abeoprs]-[0-9A-Za-z-]{10,}",  # Slack
    r"[prs]k_(?:live|test)_[0-9A-Za-z]{16,}",  # Stripe
    r"hf_[0-9A-Za-z]{30,}",  # Hugging Face
    r"npm_[0-9A-Za-z]{36}",
    r"pypi-[0-9A-Za-z_-]{50,}",
    r"eyJ[0-9A-Za-z_-]{10,}\.eyJ[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]{10,}",  # a JSON Web Token
    r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----",
]
_PATTERNS: Final = {
    "key": r"(?<![0-9A-Za-z])(?:" + "|".join(_KEYS) + ")",
    "email": (
        r"(?<![\w.%+-])[\w.%+-]{1,64}@"
        r"(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.)+[^\W\d_]{2,24}(?![\w-])"
    ),
    "iban": r"(?<![0-9A-Za-z])[A-Z]{2}[0-9]{2}(?: ?[0-9A-Z]){11,30}",
    "card": r"(?<![\w.+-])[2-6][0-9]{3}(?:[ -]?[0-9]){9,15}(?![\w-])",
    "phone": (
        r"(?<![\w.+-])(?<!\d )(?:(?:\+|00)[1-9](?:[ ./()-]{0,3}[0-9]){7,14}"
        r"|(?:1[ .-])?(?:\([2-9][0-9]{2}\) ?|[2-9][0-9]{2}[ .-])[2-9][0-9]{2}[ .-][0-9]{4}"
        r"|\(?0[1-9][0-9]{1,3}\)?[ /-][0-9]{3,}(?:[ -]?[0-9]{2,}){0,3})(?![\w-])"
    ),
}
KINDS: Final = ("email", "phone", "card", "iban", "key")
_COMPILED: Final = {kind: re.compile(pattern) for kind, pattern in _PATTERNS.items()}

# What the linear engine looks for first: whoever lacks it has no personal data.
CANDIDATE: Final = (
    r"\w@\w|[0-9](?:[ ./()-]{0,3}[0-9]){7}|[A-Z]{2}[0-9]{2}(?: ?[0-9A-Z]){11}|eyJ[0-9A-Za-z_-]{10}"
    r"|A(?:KIA|SIA)[0-9A-Z]|gh[opsur]_|github_pat_|glpat-|sk-[0-9A-Za-z_-]{9}|AIza|xox[abeoprs]-"
    r"|[prs]k_(?:live|test)_|hf_|npm_|pypi-|-----BEGIN"
)


class Span(NamedTuple):
    """Where a piece of personal data stands, in code points: `text[start:end]`."""

    kind: str
    start: int
    end: int


def spans(text: str, kinds: frozenset[str]) -> list[Span]:
    """All pieces of these kinds in a text, in order; none overlaps another.

    Example:
        >>> spans("Call +49 30 901820, or a@b.de", frozenset(KINDS))
        [Span(kind='phone', start=5, end=18), Span(kind='email', start=23, end=29)]
    """
    taken: list[Span] = []
    for kind in _PATTERNS:  # the surest first
        for span in list(_found(kind, text)) if kind in kinds else ():
            text = text[: span.start] + "\0" * (span.end - span.start) + text[span.end :]
            taken.append(span)
    return sorted(taken, key=lambda span: span.start)


def _found(kind: str, text: str) -> Iterator[Span]:
    for match in _COMPILED[kind].finditer(text):
        size = _SIZES.get(kind, len)(match[0])
        if size:
            yield Span(kind, match.start(), match.start() + size)


def luhn(digits: str) -> bool:
    """Whether the last digit is the check digit of those before it (ISO/IEC 7812, annex B)."""
    odd, even = digits[-1::-2], digits[-2::-2]
    return (sum(map(int, odd)) + sum(sum(divmod(2 * int(digit), 10)) for digit in even)) % 10 == 0


def _card(text: str) -> int:
    digits = "".join(char for char in text if char.isdigit())
    return len(text) if luhn(digits) else 0


def _iban(text: str) -> int:
    """How much of the text is an account: what follows it may look like more of it."""
    places = [place for place, char in enumerate(text) if char != " "]
    length = IBAN_LENGTHS.get(text[:2], len(text) + 1)
    if len(places) < length or text[places[length - 1] + 1 :][:1].isalnum():
        return 0
    code = "".join(text[place] for place in places[:length])
    number = int("".join(str(int(char, 36)) for char in code[4:] + code[:4]))
    return places[length - 1] + 1 if number % 97 == 1 else 0


def _phone(text: str) -> int:
    digits = sum(char.isdigit() for char in text.removeprefix("00"))
    return len(text) if 8 <= digits <= 15 else 0


_SIZES: Final[dict[str, Callable[[str], int]]] = {"card": _card, "iban": _iban, "phone": _phone}
