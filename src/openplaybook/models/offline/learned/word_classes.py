"""Words that plainly are of some kind: colours, months, instruments; and the parameters that ask for that kind.

Only kinds whose words are few are here: an animal may have any name, and a category be anything.
"""

from collections.abc import Iterable

from openplaybook.models.offline.language.lexicon import word_set
from openplaybook.models.offline.learned.lexemes import stem_of
from openplaybook.models.offline.learned.marked_mentions import DAYS, MONTHS
from openplaybook.models.offline.learned.units import unit_of
from openplaybook.models.offline.learned.world_names import PEOPLES

_FOODS = """sushi pizza pasta burger seafood barbecue bbq vegan vegetarian halal kosher mediterranean asian european
    continental steak ramen tapas cajun fusion breakfast"""
_PROGRAMMING = "python java javascript typescript rust ruby php kotlin swift sql perl scala c c++ c#"
_CLASSES = {
    "color colour": """red orange yellow green blue purple pink brown black white grey gray gold silver beige turquoise
        maroon navy cyan magenta violet crimson teal ivory cream burgundy lavender""",
    "cuisine": _FOODS,
    "language": _PROGRAMMING,
    "transport transportation vehicle": """train bus car bike bicycle plane flight airplane taxi cab ferry subway
        metro tram walk walking driving drive cycling boat ship truck motorcycle scooter van coach rail transit""",
    "genre": """action comedy drama horror thriller romance romantic fantasy mystery documentary animation
        adventure crime western musical sci-fi fiction biography history rock jazz pop classical hip-hop blues country
        metal folk electronic rap opera reggae soul indie techno punk strategy puzzle racing sports simulation""",
    "material": """wood wooden metal glass marble bronze stone steel plastic gold silver leather cotton wool paper
        concrete brick oak clay ceramic iron aluminium aluminum copper silk linen granite""",
    "instrument": """piano guitar violin drum drums flute cello trumpet saxophone clarinet ukulele bass harp keyboard
        viola trombone oboe banjo accordion""",
    "species breed": """dog cat bird fish horse rabbit tiger lion elephant panda wolf bear cow sheep goat
        pig chicken hamster parrot snake turtle frog whale dolphin shark eagle fox deer monkey mouse rat puppy kitten
        poodle labrador""",
    "sport": """basketball soccer football tennis baseball hockey golf cricket rugby volleyball swimming boxing
        badminton cycling running skiing wrestling""",
    "month": " ".join(MONTHS),
    "weekday": " ".join(DAYS),
    "season": "spring summer autumn fall winter",
    "size": "small medium large big tiny huge xl xxl s m l",
    "gender sex": "male female man woman boy girl nonbinary",
    "substance element": """water ice steam iron gold copper oxygen hydrogen helium carbon nitrogen sodium
        chlorine silver lead mercury zinc aluminium aluminum ethanol methane glucose salt air""",
    "difficulty level skill": "beginner easy intermediate medium advanced hard expert",
    "frequency interval": "daily weekly biweekly monthly quarterly yearly annually hourly once twice",
    "religion": "christianity islam judaism hinduism buddhism sikhism taoism christian muslim jewish hindu buddhist",
    "suit": "heart hearts spade spades club clubs diamond diamonds",
    "unit units": "",
}
_BY_PEOPLE = frozenset(("cuisin", "languag", "nationality"))
"""Stems of parameters that take a people's word: "Italian"."""
_MARKS = ".,'\"“”’s"


def _stems(words: Iterable[str]) -> frozenset[str]:
    return frozenset(map(stem_of, words))


_BY_STEM = {
    stem: _stems(word_set(words)) | (_stems(PEOPLES) if stem in _BY_PEOPLE else frozenset[str]())
    for names, words in {**_CLASSES, "nationality": ""}.items()
    for stem in _stems(names.split())
}
_UNIT = stem_of("unit")


def class_fit(stems: frozenset[str], text: str) -> float:
    """Whether words are of the kind that a parameter with these stems in its name asks for: 1 if each is, a half if
    some are, -1 if none is, and 0 where the name asks for no kind that is known."""
    asked = [stem for stem in stems if stem in _BY_STEM]
    if not asked:
        return 0.0
    words = [word.strip(_MARKS) or word for word in text.lower().split()]
    fitting = sum(any(_is_of(word, stem) for stem in asked) for word in words)
    if not fitting:
        return -1.0
    return 1.0 if fitting == len(words) else 0.5


def _is_of(word: str, asked: str) -> bool:
    if asked == _UNIT:
        return unit_of(word) is not None
    return stem_of(word) in _BY_STEM[asked]
