"""The values that one turn of the user's gives for a function, read as a reply to what the agent said."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from openplaybook.jsonvalues import JsonValue
from openplaybook.models.offline.dialogue.agent_moves import asked_paths
from openplaybook.models.offline.dialogue.heard_words import values_chosen
from openplaybook.models.offline.dialogue.moment_cues import MOMENTS, direction_of, of_direction
from openplaybook.models.offline.dialogue.read_backs import told_flag
from openplaybook.models.offline.dialogue.replies import agrees, ends_talk, refuses
from openplaybook.models.offline.dialogue.spoken_turns import SpokenTurn
from openplaybook.models.offline.dialogue.value_words import (
    counted_by,
    counts_things,
    is_flag,
    is_of_kind,
    named_topics,
    only_opens,
    tells,
    whole_name,
)
from openplaybook.models.offline.knowledge.lesson_book import Book
from openplaybook.models.offline.language.tokenizer import plain
from openplaybook.models.offline.learned.joint_choice import ChosenValue
from openplaybook.models.offline.learned.lexemes import lexemes_of, stem_of
from openplaybook.models.offline.learned.mentions import Mention, MentionKind
from openplaybook.models.offline.learned.said_options import said_option
from openplaybook.models.offline.learned.tool_features import LearnedTool
from openplaybook.models.offline.learned.units import said_unit
from openplaybook.models.offline.learned.utterance import HeardUtterance, utterance_of
from openplaybook.models.offline.learned.value_options import Form, value_options
from openplaybook.models.offline.learned.wants import NAMED, TOPICS, Want
from openplaybook.models.offline.short_answers import short_answer
from openplaybook.models.offline.situation import Situation
from openplaybook.models.offline.slots.assignment import assign
from openplaybook.models.offline.slots.fitness import fitness
from openplaybook.models.offline.slots.slot_schema import Path
from openplaybook.models.offline.slots.slot_values import may_stand

_LEAST_CHANCE = 0.4
"""Of a value that is taken from the words."""
_LEAST_NEEDED = 0.3
"""The same of what is needed."""
_LEAST_ASKED = 0.15
"""The same where the agent has just asked for it."""
_MOST_OF_AGENT = 300
_KIND_OF_TOPIC = {
    **MOMENTS,
    "count": MentionKind.NUMBER,
    "length": MentionKind.NUMBER,
    "money": MentionKind.NUMBER,
}
"""What answers a question about a topic."""
_RIGHT_PART = re.compile(
    r"\b(?:the|that|this) ((?:\w+ ){0,2}\w+)(?:'s| is| was) (?:also )?(?:correct|right|fine|good|ok|okay|perfect)\b",
    re.IGNORECASE,
)
_ENDS_SENTENCE = re.compile(r"\d ?[ap]m\.$", re.IGNORECASE)
"""A time, and the point of the sentence that ends with it."""
_OF_SOMEBODY = re.compile(r"['’]s$")
_ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass
class TurnValues:
    """Values that are found one after the other; no words are used twice."""

    situation: Situation
    book: Book
    tool: LearnedTool
    turn: SpokenTurn
    held: Mapping[Path, JsonValue]
    """The values that there are already."""
    found: dict[Path, JsonValue] = field(default_factory=dict[Path, JsonValue])
    _used: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])

    def read(self) -> Mapping[Path, JsonValue]:
        """All of them: what was asked for first, then what else was said."""
        paths = asked_paths(self.turn.agent, self.tool)
        # What has a value already is asked for the least likely.
        asked = [self._want(path) for path in sorted(paths, key=lambda path: path in self.held)]
        words = utterance_of(self.turn.text)
        self._take_directed(words)
        self._take_counted(words)
        self._take_answered_flags()
        self._take_agreed_parts()
        for want in asked:
            self._take_plain_answer(want, words)
        self._take_only_money(words)
        self._take_learned([want.path for want in asked])
        self._take_said_options(words)
        self._take_names(words)
        self._take_only_moments(words)
        is_value = not (ends_talk(self.turn.text) or agrees(self.turn.text))
        if asked and not self.found and "?" not in self.turn.text and is_value:
            self._take_whole(asked[0])
        return self.found

    def read_told(self) -> Mapping[Path, JsonValue]:
        """Those of which a word tells what they are."""
        words = utterance_of(self.turn.text)
        self._take_directed(words)
        self._take_counted(words)
        self._take_lasting(words)
        for want in filter(is_flag, self.tool.wants):
            told = told_flag(want.name, self.turn.text.casefold())
            if told is not None:
                self._take_flag(want, is_yes=told)
        return self.found

    def read_out(self) -> Mapping[Path, JsonValue]:
        """All values of words that read them out: how long something lasts, and the one number that is left, too."""
        self.read()
        words = utterance_of(self.turn.text)
        self._take_lasting(words)
        counts = [want for want in self.tool.wants if want.topics["count"] and not want.topics["length"]]
        numbers = self._free(words.mentions, MentionKind.NUMBER)
        others = [one for one in numbers if not (_is_lasting(words, one) or one.number.is_money)]
        self._take_only(others, counts, words)
        return self.found

    def _take_lasting(self, words: HeardUtterance) -> None:
        """The one number that tells how long something takes."""
        numbers = [one for one in self._free(words.mentions, MentionKind.NUMBER) if _is_lasting(words, one)]
        self._take_only(numbers, [want for want in self.tool.wants if want.topics["length"]], words)

    def _take_only(self, numbers: Sequence[Mention], wants: Iterable[Want], words: HeardUtterance) -> None:
        """The one number for the one parameter that may have it."""
        needed = [want for want in wants if want.required and want.path not in self.found]
        if len(numbers) == len(needed) == 1:
            self._take_mention(needed[0], words, numbers[0])

    def _want(self, path: Path) -> Want:
        return next(want for want in self.tool.wants if want.path == path)

    def _take_plain_answer(self, want: Want, words: HeardUtterance) -> None:
        """A value of the kind that was asked for: an option, a day, a time, a number."""
        lesson = self.book.paths.get(want.path)
        if lesson is None:
            return
        if is_flag(want) and (flag := self._flag_told(want)) is not None:
            self._take_flag(want, is_yes=flag)
            return
        if want.options:
            said = assign([lesson], self.situation.recognised(self.turn.text), asked_slot=want.path)
            for one in (each for each in said if each.source == "option"):
                self._take(want, one.value, one.places)
            return
        topics = named_topics(want) or ({"length"} if want.topics["length"] else set[str]())
        kinds = [kind for topic, kind in _KIND_OF_TOPIC.items() if topic in topics]
        for kind in kinds[:1]:
            free = self._free(words.mentions, kind)
            if free:
                self._take_mention(want, words, free[0])

    def _take_answered_flags(self) -> None:
        """Yes or no to a question that has a word of the parameter's name: "Would you like a skipper?"."""
        agreed, refused = agrees(self.turn.text), refuses(self.turn.text)
        if agreed is refused or not self.turn.agent.rstrip().endswith("?"):
            return
        question = self.turn.agent.rstrip("? ").rpartition("?")[2].rpartition(". ")[2].casefold()
        for want in self.tool.wants:
            if is_flag(want) and told_flag(want.name, question) is not None:
                self._take_flag(want, is_yes=agreed)

    def _take_agreed_parts(self) -> None:
        """What the user says is right of the agent's words: "The date is correct"."""
        for part in _RIGHT_PART.finditer(self.turn.text) if self.turn.agent else ():
            stems = {each.stem for each in lexemes_of(part[1]) if not each.is_small}
            meant = [want for want in self.tool.wants if stems & want.stems] or [
                want for want in self.tool.wants if any(stems & TOPICS[topic] for topic in named_topics(want))
            ]
            read_out = values_read_out(self.situation, self.book, self.tool, self.turn.agent)
            for want in meant:
                if want.path in read_out and want.path not in self.held:
                    self._take(want, read_out[want.path], (part.span(),))

    def _take_flag(self, want: Want, *, is_yes: bool) -> None:
        self._take(want, want.yes_no["true" if is_yes else "false"] if want.yes_no else is_yes, ())

    def _flag_told(self, want: Want) -> bool | None:
        """Yes or no, in words of the parameter's name or as the answer alone; None where neither is said."""
        told = told_flag(want.name, self.turn.text.casefold())
        if told is not None:
            return told
        return False if refuses(self.turn.text) else True if agrees(self.turn.text) else None

    def _take_directed(self, words: HeardUtterance) -> None:
        """Days and times of which a word tells whether something begins or ends then: "until Friday"."""
        for topic, kind in MOMENTS.items():
            wants = [want for want in self.tool.wants if topic in named_topics(want)]
            for mention in self._free(words.mentions, kind) if len(wants) > 1 else ():
                fitting = of_direction(wants, direction_of(self.turn, mention))
                if len(fitting) == 1:
                    self._take_mention(fitting[0], words, mention)

    def _take_counted(self, words: HeardUtterance) -> None:
        """Numbers of what stands behind them: "two baths"."""
        wants = [want for want in self.tool.wants if counts_things(want)]
        for number in self._free(words.mentions, MentionKind.NUMBER, with_one=True) if wants else ():
            want = counted_by(number, words, wants)
            if want is not None:
                self._take_mention(want, words, number)

    def _take_only_money(self, words: HeardUtterance) -> None:
        """The one amount of money for the one parameter that takes one."""
        wants = [want for want in self.tool.wants if want.topics["money"] == NAMED and want.required]
        amounts = [one for one in self._free(words.mentions, MentionKind.NUMBER) if one.number.is_money]
        if len(wants) == len(amounts) == 1:
            self._take_mention(wants[0], words, amounts[0])

    def _take_said_options(self, words: HeardUtterance) -> None:
        """Listed values that are said word by word, of parameters that have no value yet: "a Country song"."""
        for want in self.tool.wants:
            if want.path in self.found or want.yes_no or want.type != "string":
                continue
            said = [(option, said_option(option, words, want)) for option in want.options[:_MOST_OPTIONS]]
            whole = [(option, one.place) for option, one in said if one.hits[0] and tells(str(option))]
            for option, place in whole if len(whole) == 1 else ():
                lexemes = [words.lexemes[at] for at in place or ()]
                self._take(want, option, ((lexemes[0].start, lexemes[-1].end),) if lexemes else ())

    def _take_names(self, words: HeardUtterance) -> None:
        """Names that have a word of the parameter's own name: "the Hotel Bristol" for `hotel_name`."""
        for want in self.tool.wants:
            if want.path in self.found or not want.required or want.type != "string" or want.options:
                continue
            for name in self._free(words.mentions, MentionKind.NAME)[:_MOST_NAMES]:
                stems = {one.stem for one in words.lexemes[name.first : name.last + 1]}
                if len(stems) > 1 and stems & (want.stems - _SAY_NAME):
                    self._take_mention(want, words, name)

    def _take_only_moments(self, words: HeardUtterance) -> None:
        """The one day or time that was said, for the one parameter that takes one: the one that has none yet, or else
        the only one that there is."""
        for topic, kind in MOMENTS.items():
            free = self._free(words.mentions, kind)
            wants = [want for want in self.tool.wants if topic in named_topics(want) and want.path not in self.found]
            if len(free) == 1 and len(wants) > 1:
                wants = of_direction(wants, direction_of(self.turn, free[0])) or wants
            open_wants = [want for want in wants if want.path not in self.held]
            needed = [want for want in open_wants if want.required] or open_wants or wants
            if len(free) == 1 and len(needed) == 1:
                self._take_mention(needed[0], words, free[0])

    def _free(self, mentions: Iterable[Mention], kind: MentionKind, *, with_one: bool = False) -> list[Mention]:
        """The unused mentions of a kind, none inside another, in their order; the word "one" and the like `with_one`
        only."""
        own = [one for one in mentions if one.kind is kind and not self._is_used(one.start, one.end)]
        if kind is MentionKind.NUMBER:
            own = [one for one in own if not (one.number.is_in_moment or (one.number.is_one and not with_one))]
        return sorted((one for one in own if _widest(one, own, (kind,)) is one), key=lambda one: one.start)

    def _take_mention(self, want: Want, words: HeardUtterance, mention: Mention) -> None:
        options = value_options(want, words, self.situation.today)
        option = next((one for one in options if one.mention is mention), None)
        # A text that takes a number of nights takes it as it is said.
        is_bare = mention.kind is MentionKind.NUMBER and want.type == "string" and not want.options
        said = option.value if option is not None else mention.text if is_bare else None
        if said is not None:
            self._take(want, self._as_before(want, mention) or said, ((mention.start, mention.end),))

    def _as_before(self, want: Want, mention: Mention) -> JsonValue:
        """A day in the form of the one that it replaces, where that was written with numbers."""
        lesson = self.book.paths.get(want.path)
        if lesson is None or not _ISO_DAY.fullmatch(str(self.held.get(want.path))):
            return None
        words = self.situation.recognised(self.turn.text)
        spans = (span for span in words.spans if span.start <= mention.start and mention.end <= span.end)
        days = (suited[0] for span in spans if (suited := fitness(lesson.slot, span)) is not None)
        return next((day for day in days if _ISO_DAY.fullmatch(str(day))), None)

    def _take_learned(self, asked: Collection[Path]) -> None:
        before = self.turn.agent[-_MOST_OF_AGENT:]
        texts = [(f"{before} {self.turn.text}", len(before) + 1)] if asked else []
        best: dict[Path, tuple[ChosenValue, int, HeardUtterance]] = {}
        for text, begin in (*texts, (self.turn.text, 0)):
            words = utterance_of(text)
            for chosen in values_chosen(text, self.tool, self.situation.today):
                path = chosen.want.path
                least = _LEAST_ASKED if path in asked else _LEAST_NEEDED if chosen.want.required else _LEAST_CHANCE
                known = best[path][0].chance if path in best else 0.0
                if _is_said(chosen, words, begin) and chosen.chance >= max(least, known):
                    best[path] = chosen, begin, words
        for chosen, begin, words in sorted(best.values(), key=lambda one: -one[0].chance):
            self._take_chosen(chosen, begin, words)

    def _take_chosen(self, chosen: ChosenValue, begin: int, words: HeardUtterance) -> None:
        mention, value = chosen.option.mention, chosen.option.value
        if mention is None:
            self._take(chosen.want, value, ())
            return
        is_part_of_moment = mention.kind is MentionKind.NUMBER and mention.number.is_in_moment
        is_other_number = mention.kind is MentionKind.NUMBER and chosen.want.topics["length"] == NAMED
        if (
            is_part_of_moment
            or (is_other_number and not _is_lasting(words, mention))
            or only_opens(words.text, mention)
            or not is_of_kind(chosen.want, mention.text)
            or self._is_option_of_another(chosen.want, mention.text)
        ):
            return
        whole = self._whole(chosen.want, mention, words)
        place = whole.start - begin, whole.end - begin
        if place[0] < 0 or self._is_used(*place):
            return
        if whole.kind is MentionKind.DATE and (day := self._as_before(chosen.want, _moved(whole, begin))):
            value = day
        elif whole is not mention:
            options = value_options(chosen.want, words, self.situation.today)
            value = next((one.value for one in options if one.mention is whole), value)
        elif whole.kind is MentionKind.NAME and value in (whole.text, _OF_SOMEBODY.sub("", whole.text)):
            first, last = whole_name(words.text, whole.start, whole.start + len(str(value)))
            value = words.text[first:last]
        self._take(chosen.want, value, (place,))

    def _whole(self, want: Want, mention: Mention, words: HeardUtterance) -> Mention:
        """The day or time that some words are a part of, where one is wanted: "the 11th of March" for "11th"."""
        kinds = {kind for topic, kind in MOMENTS.items() if topic in named_topics(want)} | {mention.kind}
        return _widest(mention, words.mentions, kinds & set(MOMENTS.values()))

    def _is_option_of_another(self, want: Want, text: str) -> bool:
        """Whether words are a listed value of another parameter, perhaps with its name: "checking account"."""
        if want.options or want.type != "string":
            return False
        said = {stem_of(word) for word in plain(text).split()}
        return any(
            stems <= said and said <= stems | other.stems
            for other in self.tool.wants
            for option in other.options
            if (stems := {stem_of(word) for word in plain(str(option)).split()})
        )

    def _take_whole(self, want: Want) -> None:
        """All that was said, as the answer."""
        lesson = self.book.paths.get(want.path)
        if lesson is None:
            return
        words = self.situation.recognised(self.turn.text)
        said = list(assign([lesson], words, asked_slot=want.path)) or short_answer(lesson, self.turn.text)
        if said and is_of_kind(want, str(said[0].value)):
            self._take(want, said[0].value, said[0].places)

    def _take(self, want: Want, value: JsonValue, places: Sequence[tuple[int, int]]) -> None:
        lesson = self.book.paths.get(want.path)
        if isinstance(value, str) and _ENDS_SENTENCE.search(value):
            value = value[:-1]
        if lesson is not None and want.path not in self.found and may_stand(lesson.slot, value):
            self.found[want.path] = value
            self._used += places

    def _is_used(self, start: int, end: int) -> bool:
        return any(start < last and first < end for first, last in self._used)


def values_read_out(situation: Situation, book: Book, tool: LearnedTool, agent: str) -> Mapping[Path, JsonValue]:
    """The values of a function that the agent's own words name."""
    return TurnValues(situation, book, tool, SpokenTurn("", agent[-_MOST_OF_AGENT:]), {}).read_out()


def values_told(situation: Situation, book: Book, tool: LearnedTool, agent: str) -> Mapping[Path, JsonValue]:
    """The values in the agent's words of which a word tells what they are: days and times at which something begins or
    ends, how many there are of what, and yes or no."""
    return TurnValues(situation, book, tool, SpokenTurn("", agent[-_MOST_OF_AGENT:]), {}).read_told()


_SAY_NAME = frozenset(map(stem_of, ("name", "title", "id", "number", "city", "the", "of")))
_MOST_NAMES = 8
_MOST_OPTIONS = 60


def _is_lasting(words: HeardUtterance, number: Mention) -> bool:
    """Whether a number tells how long something takes: "for 5 days"."""
    unit, _ = said_unit(words.text, number.end)
    return unit is not None and unit.dimension == "time"


def _moved(mention: Mention, begin: int) -> Mention:
    """The same mention in the user's own words, which begin at some character."""
    return replace(mention, start=mention.start - begin, end=mention.end - begin)


def _widest(mention: Mention, mentions: Iterable[Mention], kinds: Collection[MentionKind]) -> Mention:
    """The longest mention of some kinds that contains one; itself where there is none."""
    around = [one for one in mentions if one.kind in kinds and one.start <= mention.start and mention.end <= one.end]
    return max(around, key=lambda one: one.end - one.start, default=mention)


def _is_said(chosen: ChosenValue, words: HeardUtterance, begin: int) -> bool:
    """Whether a value is in the words from `begin` on, and is no default that nobody said."""
    option = chosen.option
    if option.mention is not None:
        return option.mention.start >= begin
    if option.place is not None:
        return words.lexemes[option.place[0]].start >= begin
    return option.form is Form.FLAG and not begin and option.hits[0] > 0
