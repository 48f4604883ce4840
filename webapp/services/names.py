"""Letters of names: what may be shown, which names look alike, and how two are told apart at a table.

Which names are refused, for whatever reason: ``webapp.web.refused_names``.

After Unicode's security mechanisms (UTS #39): a name keeps to one alphabet, and look-alikes are compared by a skeleton.
"""

import unicodedata
from collections.abc import Collection
from typing import Final

from webapp.services.core.errors import Refusal

NAME_LENGTH: Final = 24
TYPED_LENGTH: Final = 4 * NAME_LENGTH
"""Characters that are read at all: accents may be typed one by one, and blanks between words become one."""
_BLANKS: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffc\ufffd\U00013441\U00013442\U0001d159")
"""Characters that are letters or signs by their category, and invisible or a mere box."""
_CONTROLS: Final = ("Cc", "Zl", "Zp")
"""Categories of what is no letter, but an order to a terminal or a printer: also the ends of lines."""
_JOINER: Final = "\u200d"
_NON_JOINER: Final = "\u200c"
_ARROWS: Final = frozenset("\u2194\u2195")
"""Emoji that are not signs by their category."""
_MARKS: Final = 2
"""Marks on one letter of an alphabet that needs few; the marks of other scripts are letters of theirs."""
_MANY_MARKS: Final = 4
_ALONE: Final = frozenset(
    {"LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "COPTIC", "CHEROKEE", "GEORGIAN", "LISU", "DESERET"}
)
"""Scripts with letters that look like those of another. A name has letters of one of them at most."""

# From https://www.unicode.org/Public/security/latest/confusables.txt (Unicode 16), after case folding: the letters of
# Cyrillic, Greek, Armenian, Cherokee, Lisu and phonetic alphabets that look like Latin ones, and digits like letters.
_LOOKS_LIKE: Final = {
    "a": "аαɑ", "b": "вьβЬᏼƅ", "c": "сϲⲥᴄ", "d": "ԁɗꓒ", "e": "еҽℯε", "f": "ſғꞙϝ", "g": "ɡցɢ", "h": "һнʜհᏂ",
    "j": "јϳյ", "k": "кκᴋ", "l": "iі1|ǀіıιɩӏا١ⵏ!", "m": "мᴍꓟμ", "n": "пոռηɴ", "o": "0оοσօ๐໐०০੦૦ⲟᴏ〇",
    "p": "рρϱⲣþ", "q": "ԛգզ", "r": "гʀᴦⲅ", "s": "5ѕꜱƽ", "t": "тτᴛ", "u": "υսʋᴜ", "v": "νѵᴠⅴ", "w": "ԝωшᴡѡա",
    "x": "хχ×ᕁ", "y": "уүγʏყ", "z": "ᴢʐ2", "3": "зӡ", "6": "б",
}  # fmt: skip
_FOLDED: Final = str.maketrans({letter: latin for latin, letters in _LOOKS_LIKE.items() for letter in letters})
_DIGITS_AS_LETTERS: Final = str.maketrans("34678", "eagtb")
"""Digits that are written for letters but do not look like them; all others are among the look-alikes."""


def tidied(text: str) -> str:
    """Return a name as it is kept. It is short: this comes before all else that reads what somebody has typed.

    Raises:
        Refusal: ``bad-name``: the text is longer than a name.
    """
    tidy = " ".join(unicodedata.normalize("NFC", text).split()) if len(text) <= TYPED_LENGTH else text
    if len(tidy) > NAME_LENGTH:
        raise Refusal("bad-name", detail=tidy[:80])
    return tidy


def name_from(text: str) -> str:
    """Return a normalized name: in any script, without control characters, with at least one visible character.

    Raises:
        Refusal: ``bad-name``, ``mixed-name``.
    """
    tidy = tidied(text)
    if any(unicodedata.category(letter) in _CONTROLS for letter in text.strip()):  # a name stands in one line
        raise Refusal("bad-name", detail=tidy)
    if not (_is_visible(tidy) and _has_few_marks(tidy)):
        raise Refusal("bad-name", detail=tidy)
    if len(_scripts(tidy) & _ALONE) > 1:
        raise Refusal("mixed-name", detail=tidy)
    return tidy


def skeleton(name: str) -> str:
    """Return what a name looks like: equal for names that are taken for one another."""
    letters = (letter for letter in unicodedata.normalize("NFKC", name).casefold() if letter.isalnum())
    return "".join(letters).translate(_FOLDED) or name


def bare(name: str) -> str:
    """Return the skeleton of a name without its accents, and without digits at its end."""
    letters = _base_letters(name)
    return skeleton(letters.rstrip("".join(filter(str.isnumeric, letters))))


def with_digits_as_letters(name: str) -> str:
    """Return a name as people read it who write ``b4nk`` for *bank*: digits at its end stay a number."""
    plain = as_it_is(name)
    word = plain.rstrip("".join(letter for letter in plain if not letter.isalpha()))
    return word.translate(_DIGITS_AS_LETTERS) + plain[len(word) :]


def without_accents(name: str) -> str:
    """Return the skeleton of a name without its accents; empty if nothing is a letter or a digit."""
    return skeleton(_base_letters(name))


def as_it_is(name: str) -> str:
    """Return a name with its signs, in the form in which names are compared."""
    return unicodedata.normalize("NFKC", name).casefold()


def numbered(name: str, number: int) -> str:
    """Return a name with the number that tells it from others at the same table; 1 is not said."""
    return f"{name} {number}" if name and number > 1 else name


def free_number(name: str, others: Collection[str]) -> int:
    """Return the lowest number with which a name looks like none of the others."""
    if not name:
        return 1
    looks = {skeleton(other) for other in others}
    return next(number for number in range(1, len(looks) + 2) if skeleton(numbered(name, number)) not in looks)


def _base_letters(name: str) -> str:
    letters = (letter for letter in unicodedata.normalize("NFD", as_it_is(name)) if _is_base(letter))
    return unicodedata.normalize("NFC", "".join(letters))


def _is_base(letter: str) -> bool:
    """Return False for accents; the marks of kana are part of them."""
    return letter.isalnum() or letter in "\u3099\u309a"


def _is_visible(name: str) -> bool:
    """Return True if all of a name is visible, and its marks have a letter or sign to stand on; also if it is empty."""
    kinds = [unicodedata.category(character) for at, character in enumerate(name) if not _joins(name, at)]
    if any(kind in ("Cc", "Cf", "Cs", "Co", "Cn") for kind in kinds) or not _BLANKS.isdisjoint(name):
        return False
    return not name or any(kind[0] not in "MZ" for kind in kinds)


def _joins(name: str, at: int) -> bool:
    """Return True for a joiner between two emoji, or where a script needs one: at a virama, or in Arabic words."""
    if name[at] not in (_JOINER, _NON_JOINER) or not at:
        return False
    before, after = name[:at].rstrip("\ufe0f")[-1:], name[at + 1 : at + 2]
    if _is_emoji(before) and _is_emoji(after):
        return name[at] == _JOINER
    if _is_virama(before):  # at the end of a word too, as in Malayalam
        return unicodedata.category(after or " ")[0] in "LZP"
    if _is_virama(after):  # as in Bengali
        return before.isalpha() and _script(before) == _script(after)
    return unicodedata.bidirectional(before) == "AL" and after.isalpha()


def _is_virama(character: str) -> bool:
    return character != "" and unicodedata.combining(character) == 9


def _is_emoji(character: str) -> bool:
    if not character:
        return False
    return character in _ARROWS or unicodedata.category(character) == "So" or "\U0001f3fb" <= character <= "\U0001f3ff"


def _has_few_marks(name: str) -> bool:
    """Return False if more marks stand on one letter than any language writes."""
    run, most = 0, _MARKS
    for character in unicodedata.normalize("NFD", name):
        if unicodedata.category(character) in ("Mn", "Me"):
            run += 1
            if run > most:
                return False
        else:
            run, most = 0, _MARKS if _script(character) in _ALONE or not character.isalpha() else _MANY_MARKS
    return True


def _scripts(name: str) -> set[str]:
    plain = unicodedata.normalize("NFKC", name)
    return {_script(letter) for letter in plain if letter.isalpha()}


def _script(letter: str) -> str:
    """Return the script of a letter: the first word of its Unicode name."""
    return unicodedata.name(letter, "").partition(" ")[0]
