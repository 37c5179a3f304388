from typing import Any

import polars as pl

from batcheval.checks import (
    apologises,
    is_refusal,
    language,
    markdown,
    pii,
    profanity,
    readability,
    truncated,
    valid_urls,
)
from tests.cases import Case, trace

EXPECTED = pl.col("expected")
LIST = pl.List(pl.String)
PHRASE: dict[str, Any] = {"found": pl.Boolean(), "phrase": pl.String()}
KINDS = ("email", "phone", "card", "iban", "key")
PARTS = ("headings", "list_items", "tables", "code_blocks", "links", "quotes")
SPAN = pl.Struct({"kind": pl.String, "start": pl.Int64, "end": pl.Int64})
LONG = trace(output="It is sunny today. " * 53_000 + "It is")
TABLE = "| a | b |\n| - | - |\n| 1 | 2 |"

DETAILS: dict[str, dict[str, Any]] = {
    "is_refusal": PHRASE,
    "apologises": PHRASE,
    "profanity": {"found": LIST},
    "language": {"language": pl.String(), "confidence": pl.Float64()},
    "readability": {"value": pl.Float64()},
    "pii": {
        "kinds": LIST,
        "counts": pl.Struct(dict.fromkeys(KINDS, pl.Int64)),
        "spans": pl.List(SPAN),
        "redacted": pl.String(),
    },
    "valid_urls": {"urls": LIST, "invalid": LIST},
    "truncated": {"open_fence": pl.Boolean(), "mid_sentence": pl.Boolean()},
    "markdown": {**dict.fromkeys(PARTS, pl.Int64()), "problems": LIST},
}

WHOLE = [
    "I hope this helps you. Best, Anna Li",
    "I hope this helps you.\n\nBest,\nAnna",
    "It is all done. — The team",
    "よろしくお願いします。— 田中",
    "I like it :(",
    "It is in [0, 1)",
    "Use the `a[` operator",
    '"Roses are red\nViolets are blue"',
    'It is 27" wide',
    "Er sagte „ja“ und ging",
    "« Oui » dit-il",
    "สวัสดีครับ ผมชื่อสมชาย " * 5 + "ครับ",  # Thai: no full stops
]
CUT = [
    "It costs 5 dollars (about 4",
    "See [docs](https://a.com/b",
    'He said "it is',
    "Er sagte „ja",
    "Elle dit « oui",
    "他说「明天",
    "他说“明天",
    '{"a":[1,2',
    "这是一个很长的句子，没有句号，" * 6 + "然后",  # longer than 80, and no space
    "یہ ٹھیک ہے۔ میں",
    "مرحبا،",
    "I said so. - and then",
]
CASES: list[Case] = [
    # is_refusal
    (is_refusal(), trace(output="I'm sorry, but I can’t help with that."), 1.0),
    (is_refusal(), trace(output="As an AI language model, I cannot do that."), 1.0),
    (is_refusal(), trace(output="I must decline."), 1.0),
    (is_refusal(), trace(output="I can't help but smile: it is sunny."), 0.0),
    (is_refusal(), trace(output="Sorry for the wait! I cannot praise it enough."), 0.0),
    (is_refusal(), trace(output="Dabei kann ich dir leider nicht helfen."), 1.0),
    (is_refusal(), trace(output="Je ne peux pas vous aider."), 1.0),
    (is_refusal(), trace(output="Lo siento, no puedo ayudar con eso."), 1.0),
    (is_refusal(), trace(output="Sinto muito, não posso ajudar."), 1.0),
    (is_refusal(), trace(output="Mi dispiace, non posso aiutarti."), 1.0),
    (is_refusal(), trace(output="Daar kan ik je niet mee helpen."), 1.0),
    (is_refusal(), trace(output="Я не могу помочь с этим."), 1.0),
    (is_refusal(), trace(output="申し訳ありませんが、お手伝いできません。"), 1.0),
    (is_refusal(), trace(output="抱歉，我无法提供这些信息。"), 1.0),
    (is_refusal(), trace(output="죄송하지만 도와드릴 수 없습니다."), 1.0),
    (is_refusal(languages=["de"]), trace(output="I can't help with that."), 0.0),
    (is_refusal(), trace(output=None), 0.0),
    (is_refusal(on=EXPECTED), trace(output="x"), None),
    # apologises
    (apologises(), trace(output="I apologize for the delay."), 1.0),
    (apologises(), trace(output="So sorry to hear that."), 1.0),
    (apologises(), trace(output="My apologies."), 1.0),
    (apologises(), trace(output="Please accept my apologies."), 1.0),
    (apologises(), trace(output="A sorry state of affairs."), 0.0),
    (apologises(), trace(output="Das tut uns sehr leid."), 1.0),
    (apologises(), trace(output="ご不便をおかけして申し訳ございません。"), 1.0),
    (apologises(), trace(output="非常抱歉"), 1.0),
    (apologises(languages=["en", "fr"]), trace(output="Lo siento"), 0.0),
    (apologises(), trace(output=""), 0.0),
    # profanity
    (profanity(), trace(output="What an ASS!"), 0.0),
    (profanity(), trace(output="A classic class in Sussex"), 1.0),
    (profanity(allowed=["ass"]), trace(output="What an ass!"), 1.0),
    (profanity(also=["darn it"]), trace(output="darn  it"), 0.0),
    (profanity(languages=["de"]), trace(output="What an ass!"), 1.0),
    (profanity(languages=["ja"]), trace(output="それはアナルだ"), 0.0),  # inside of a text
    (profanity(), trace(output=None), 1.0),
    (profanity(on=EXPECTED), trace(output="x"), None),
    # language
    (language("en"), trace(output="The weather is fine in Oslo today."), 1.0),
    (language("de"), trace(output="The weather is fine in Oslo today."), 0.0),
    (language(["fr", "de"]), trace(output="Das Wetter ist heute schön."), 1.0),
    (language("ja"), trace(output="今日はいい天気ですね。"), 1.0),
    (language("en"), trace(output="42"), None),  # in no language
    (language("en"), trace(output=None), 0.0),
    (language("en", min_confidence=1.0), trace(output="Paris"), 0.0),
    (language(EXPECTED), trace(output="Bonjour à tous, ça va bien ?", expected="fr"), 1.0),
    (language(EXPECTED), trace(output="Bonjour à tous, ça va bien ?"), None),
    # readability; 20.0 and 87.3 are what textstat 0.7.13 gives too
    (readability(max=6), trace(output="The cat sat on the mat. It was warm and happy there."), 1.0),
    (
        readability(max=5.9),
        trace(output="The cat sat on the mat. It was warm and happy there."),
        0.0,
    ),
    (readability(formula="flesch_reading_ease", min=90), trace(output="The cat sat."), 1.0),
    (readability(formula="ari", max=1), trace(output="The cat sat."), 1.0),
    (readability(min=0), trace(output=None), 0.0),
    (readability(min=0), trace(output="!"), 0.0),
    (readability(max=90, on=EXPECTED), trace(output="x"), None),
    # pii
    (pii(), trace(output="Write to ann.b+c@mail.example.com!"), 0.0),
    (pii(), trace(output="Call +49 (30) 901820 or 555-234-5678"), 0.0),
    (pii(), trace(output="4111 1111 1111 1111"), 0.0),
    (pii(), trace(output="4111 1111 1111 1112"), 1.0),  # the check digit is wrong
    (pii(), trace(output="DE89 3704 0044 0532 0130 00"), 0.0),
    (pii(), trace(output="DE88 3704 0044 0532 0130 00"), 1.0),
    (pii(), trace(output="AKIAIOSFODNN7EXAMPLE"), 0.0),
    (pii(), trace(output="-----BEGIN RSA PRIVATE KEY-----"), 0.0),
    (pii(kinds=["phone"]), trace(output="a@b.de"), 1.0),
    (pii(), trace(output="order 12345, 2024-01-02 10:00:00, 192.168.0.1, v1.2.3, @ann"), 1.0),
    (pii(), trace(output=None), 1.0),
    (pii(on=EXPECTED), trace(output="x"), None),
    # valid_urls
    (valid_urls(), trace(output="See [it](https://en.example.org/a_(b)?c=%20#d)."), 1.0),
    (valid_urls(), trace(output="none at all"), 1.0),
    (valid_urls(), trace(output="http://{host}/x"), 0.0),
    (valid_urls(), trace(output="http://1.2.3.4:80/ https://[::1]/ http://localhost:8000"), 1.0),
    (valid_urls(), trace(output="http://1.2.3.400/"), 0.0),
    (valid_urls(), trace(output="https://example"), 0.0),
    (valid_urls(), trace(output="https://münchen.de/straße"), 1.0),
    (valid_urls(), trace(output="https://a.com:99999/"), 0.0),
    (valid_urls(), trace(output="https://a.com/%zz"), 0.0),
    (valid_urls(hosts=["a.com"]), trace(output="https://www.A.com/ http://a.com"), 1.0),
    (valid_urls(hosts=["a.com"]), trace(output="https://nota.com/"), 0.0),
    (valid_urls(), trace(output=None), 1.0),
    (valid_urls(on=EXPECTED), trace(output="x"), None),
    # truncated
    (truncated(), trace(output="It is not far. Take the"), 0.0),
    (truncated(), trace(output="It is not far. Take the bus."), 1.0),
    (truncated(), trace(output="First,"), 0.0),
    (truncated(), trace(output="Oslo"), 1.0),
    (truncated(), trace(output="Here:\n```py\nx = 1"), 0.0),
    (truncated(), trace(output="Here:\n```py\nx = 1\n```"), 1.0),
    (truncated(), trace(output="Pick one of these.\n\n1. Apples\n2. Pears"), 1.0),
    (truncated(), trace(output="You can find it here. See https://a.com/b"), 1.0),
    (truncated(), trace(output="晴れです。明日は雨"), 0.0),
    (truncated(), trace(output=None), 1.0),
    *[(truncated(), trace(output=text), 1.0) for text in WHOLE],
    *[(truncated(), trace(output=text), 0.0) for text in CUT],
    (truncated(on=EXPECTED), trace(output="x"), None),
    # markdown
    (markdown(has=["headings", "list_items"]), trace(output="# A\n\n- b\n- c"), 1.0),
    (markdown(has=["tables"]), trace(output=TABLE), 1.0),
    (markdown(), trace(output=TABLE + "\n| 3 |"), 0.0),
    (markdown(), trace(output="# A\n### C"), 0.0),
    (markdown(), trace(output="```\n# A\n### C\n```"), 1.0),  # what is in a fence is no part
    (markdown(has=["code_blocks"]), trace(output="~~~\nx\n~~~"), 1.0),
    (markdown(), trace(output="```\nx"), 0.0),
    (markdown(has=["links"], lacks=["quotes"]), trace(output="[a](b.md)"), 1.0),
    (markdown(lacks=["quotes"]), trace(output="> a"), 0.0),
    (markdown(), trace(output=None), 1.0),
    (markdown(has=["links"]), trace(output=""), 0.0),
    (markdown(on=EXPECTED), trace(output="x"), None),
]

# Too large to be held against every check there is.
LARGE: list[Case] = [
    (profanity(), LONG, 1.0),
    (language("en"), LONG, 1.0),
    (pii(), LONG, 1.0),
    (truncated(), LONG, 0.0),
    (markdown(), LONG, 1.0),
]
