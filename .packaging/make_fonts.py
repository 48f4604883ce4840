"""Cut the fonts of pictures in Chinese and Japanese: ``python .packaging/make_fonts.py NotoSerifCJK-Bold.ttc``.

Each has the characters of its language's catalog, and those of days and punctuation. A picture whose words need others
is in English, so this need not be done for each new sentence.
"""

import string
import sys
from pathlib import Path

from babel.messages.pofile import read_po
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTCollection, TTFont

from webapp.web.i18n.translations import FOLDER
from webapp.web.languages import BY_CODE

FONTS = Path(__file__).parents[1] / "webapp" / "web" / "hand_page" / "fonts"
REGIONS = {"ja": "JP", "zh": "SC", "zh-Hant": "TC"}
KANA = "".join(map(chr, (*range(0x3041, 0x3097), *range(0x30A1, 0x30FF))))
MORE = "、。，．・：；？！（）「」『』《》〈〉【】…％〜日月火水木金土年一二三四五六七八九十周週星期曜"


def main(source: str) -> None:
    """Write a font for each language."""
    with TTCollection(source) as collection:
        by_name = {font["name"].getDebugName(1): font for font in collection.fonts}
        for code, region in REGIONS.items():
            font = by_name[f"Noto Serif CJK {region}"]
            cut(font, characters(code))
            rename(font, f"Tefuda Serif {region}")
            font.save(FONTS / f"{code}.otf")


def characters(code: str) -> str:
    """Return the characters that a font needs beside the Latin ones, which it has for its own measures only."""
    with (FOLDER / BY_CODE[code].locale / "LC_MESSAGES" / "messages.po").open("rb") as file:
        catalog = read_po(file)
    said = {letter for message in catalog for letter in "".join(message.string or ()) if ord(letter) > 0x2E7F}
    return "".join(sorted(said | set(MORE) | set(KANA if code == "ja" else "")))


def cut(font: TTFont, letters: str) -> None:
    """Remove all but these letters, and what changes them: texts are set one letter after another."""
    options = Options(hinting=False, layout_features=[], notdef_outline=True, name_IDs=[0, 13, 14])
    options.drop_tables += ["BASE", "VORG", "vhea", "vmtx"]
    subsetter = Subsetter(options)
    subsetter.populate(text=letters + string.digits)
    subsetter.subset(font)


def rename(font: TTFont, name: str) -> None:
    """Give a font a name of its own, in the table of names and in the outlines."""
    for number, text in {1: name, 2: "Regular", 3: name, 4: name, 6: name.replace(" ", "")}.items():
        font["name"].setName(text, number, 3, 1, 0x409)
    outlines = font["CFF "].cff
    outlines.fontNames[0] = name.replace(" ", "")
    for entry in ("FullName", "FamilyName"):
        setattr(outlines.topDictIndex[0], entry, name)


if __name__ == "__main__":
    main(sys.argv[1])
