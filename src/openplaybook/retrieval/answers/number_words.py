"""Words for numbers, months and units in the languages whose words are set apart by blanks."""

import re
from collections.abc import Mapping, Sequence

_VALUES: tuple[int, ...] = (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 20, 30, 40, 50, 60, 70, 80, 90)


def _row(spelled: str) -> Mapping[int, str]:
    return dict(zip(_VALUES, spelled.split(","), strict=True))


NUMBER_WORDS: Mapping[str, Mapping[int, str]] = {
    "en": _row(
        "two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, twenty, thirty, forty, "
        "fifty, sixty, seventy, eighty, ninety"
    ),
    "de": _row(
        "zwei zweier zweien, drei dreier dreien, vier vieren, fünf, sechs, sieben, acht, neun, zehn, "
        "elf, zwölf, zwanzig, dreißig dreissig, vierzig, fünfzig, sechzig, siebzig, achtzig, neunzig"
    ),
    "es": _row(
        "dos, tres, cuatro, cinco, seis, siete, ocho, nueve, diez, once, doce, veinte, treinta, "
        "cuarenta, cincuenta, sesenta, setenta, ochenta, noventa"
    ),
    "fr": _row(
        "deux, trois, quatre, cinq, six, sept, huit, neuf, dix, onze, douze, vingt, trente, quarante, "
        "cinquante, soixante, soixante-dix septante, quatre-vingts quatre-vingt, quatre-vingt-dix "
        "nonante"
    ),
    "it": _row(
        "due, tre, quattro, cinque, -, sette, otto, nove, dieci, undici, dodici, venti, trenta, "
        "quaranta, cinquanta, sessanta, settanta, ottanta, novanta"
    ),
    "pt": _row(
        "dois duas, três, quatro, cinco, seis, sete, oito, nove, dez, onze, doze, vinte, trinta, "
        "quarenta, cinquenta, sessenta, setenta, oitenta, noventa"
    ),
    "nl": _row(
        "twee, drie, vier, vijf, zes, zeven, acht, negen, tien, elf, twaalf, twintig, dertig, veertig, "
        "vijftig, zestig, zeventig, tachtig, negentig"
    ),
    "ru": _row(
        "два две двух двум двумя, три трёх трех трём трем тремя, четыре четырёх четырех четырьмя, пять "
        "пяти пятью, шесть шести шестью, семь семи семью, восемь восьми, девять девяти, десять десяти, "
        "одиннадцать одиннадцати, двенадцать двенадцати, двадцать двадцати, тридцать тридцати, сорок "
        "сорока, пятьдесят пятидесяти, шестьдесят шестидесяти, семьдесят семидесяти, восемьдесят, "
        "девяносто"
    ),
    "tr": _row(
        "iki, üç, dört, beş, altı, yedi, sekiz, dokuz, on, onbir, oniki, yirmi, otuz, kırk, elli, "
        "altmış, yetmiş, seksen, doksan"
    ),
    "el": _row(
        "δύο δυο, τρία τρεις τριών, τέσσερα τέσσερις τεσσάρων, πέντε, έξι, επτά εφτά, οκτώ οχτώ, εννέα "
        "εννιά, δέκα, έντεκα, δώδεκα, είκοσι, τριάντα, σαράντα, πενήντα, εξήντα, εβδομήντα, ογδόντα, "
        "ενενήντα"
    ),
    "hi": _row(
        "दो, तीन, चार, पाँच पांच, छह छः, सात, आठ, नौ, दस, ग्यारह, बारह, बीस, तीस, चालीस, पचास, साठ, सत्तर, अस्सी, नब्बे"
    ),
    "ar": _row(
        "اثنان اثنين, ثلاثة ثلاث, أربعة أربع, خمسة خمس, ستة ست, سبعة سبع, ثمانية ثماني, تسعة تسع, عشرة "
        "عشر, أحد, اثنا, عشرون عشرين, ثلاثون ثلاثين, أربعون أربعين, خمسون خمسين, ستون ستين, سبعون "
        "سبعين, ثمانون ثمانين, تسعون تسعين"
    ),
}
"""Spellings by value, by language. The words for one are articles in most of them, and left out,
as are words that mean something else as often, such as the Italian `sei`."""


def _by_word(rows: Mapping[str, str]) -> Mapping[str, str]:
    return {word: name for name, spelled in rows.items() for word in spelled.split()}


_MULTIPLIED: Mapping[str, str] = {
    "1e2": "hundred hundert honderd",
    "1e3": "thousand thousands tausend mil mille mila duizend тысяч тысячи тысяча тыс bin χιλιάδες हज़ार हजार ألف آلاف",
    "1e4": "万 萬 만 หมื่น",
    "1e5": "lakh लाख แสน",
    "1e6": """million millions millionen mio millón millones milhão milhões milione milioni miljoen миллион миллиона
        миллионов млн milyon εκατομμύρια εκατομμύριο मिलियन مليون ملايين ล้าน""",
    "1e7": "crore करोड़",
    "1e8": "亿 億 억",
    "1e9": """billion billions milliarde milliarden mrd milliard milliards miliardo miliardi miljard миллиард миллиарда
        миллиардов млрд bilhão bilhões mld milyar δισεκατομμύρια अरब مليار""",
    "1e12": """trillion trillions billón billones trilhão trilhões billionen bilione bilioni biljoen трлн
        триллион триллиона триллионов trilyon τρισεκατομμύρια 兆 조""",
}
MULTIPLIERS: Mapping[str, float] = {word: float(value) for word, value in _by_word(_MULTIPLIED).items()}
"""Factors by the words that follow a number."""

UNITS: Mapping[str, str] = _by_word(
    {
        "%": """% percent pct prozent porcentaje porciento pourcent percento procent процент процента процентов
            प्रतिशत""",
        "EUR": "€ eur euro euros евро 欧元 ユーロ 유로",
        "USD": "$ US$ usd dollar dollars dólar dólares dollari dólares доллар доллара долларов 美元 ドル 달러",
        "GBP": "£ gbp pounds sterling",
        "JPY": "¥ jpy yen 日元 円",
        "RUB": "₽ rub рубль рубля рублей руб",
        "INR": "₹ inr rupees",
        "km": "km kilometer kilometers kilometre kilometres kilometern kilómetros quilômetros chilometri км километр "
        "километров километра 公里 千米 キロメートル",
        "m": "meter meters metre metres metern metros metri mètres метр метра метров 米 メートル 미터 เมตร",
        "cm": "cm centimeter centimeters centimetres zentimeter centímetros см 厘米 センチ",
        "mm": "mm millimeter millimeters millimetres мм",
        "mi": "mi mile miles meilen millas milhas мили миль",
        "ft": "ft foot feet fuß",
        "in": "inch inches zoll",
        "kg": "kg kilogram kilograms kilogramm kilo kilos kilogramos кг килограмм килограммов 公斤 千克 "
        "キログラム 킬로그램 กิโลกรัม",
        "g": "gram grams gramm gramos грамм граммов 克 グラム 그램 กรัม",
        "mg": "mg milligram milligrams milligramm мг",
        "t": "ton tons tonne tonnes tonnen toneladas тонн тонны 吨 トン",
        "lb": "lb lbs",
        "l": "liter liters litre litres litern litros литр литров",
        "ml": "ml milliliter milliliters millilitres мл",
        "s": "second seconds sekunde sekunden segundo segundos секунд секунды 秒 초",
        "min": "min minute minutes minuten minuto minutos minuti минут минуты 分钟 分 분 นาที",
        "h": "hour hours stunde stunden hora horas heure heures ora ore uur час часа часов 小时 時間 시간 ชั่วโมง",
        "THB": "บาท",
        "day": "day days tag tage tagen día días jour jours giorno giorni dia dias dag dagen день дня "
        "дней 天 日間 일 วัน",
        "week": "week weeks woche wochen semana semanas semaine semaines settimana weken неделя недели недель "
        "周 週間 주 สัปดาห์",
        "month": "month months monat monate monaten mes meses mois mese mesi mês maand maanden месяц "
        "месяца месяцев 个月 か月 ヶ月 개월 เดือน",
        "year": "year years jahr jahre jahren año años an ans année années anno anni ano anos jaar год "
        "года лет 年 년 ปี",
        "°C": "°C °c celsius",
        "°F": "°F °f fahrenheit",
    }
)
"""Names of units by their spellings. Letters that stand for several units, or for a word, are left out."""

_MONTH_NAMES: tuple[str, ...] = (
    "january jan januar jänner enero ene janvier janv gennaio gen janeiro januari января январь янв ocak ιανουαρίου "
    "ιανουάριος يناير जनवरी มกราคม",
    "february feb februar febrero febr février févr febbraio fevereiro fev februari февраля февраль фев şubat "
    "φεβρουαρίου φεβρουάριος فبراير फरवरी กุมภาพันธ์",
    "march mar märz marzo mars março maart марта март мар mart μαρτίου μάρτιος مارس मार्च มีนาคม",
    "april apr abril abr avril aprile апреля апрель апр nisan απριλίου απρίλιος أبريل अप्रैल เมษายน",
    "may mai mayo maggio mag maio mei мая май mayıs μαΐου μάιος مايو मई พฤษภาคม",
    "june jun juni junio juin giugno giu junho июня июнь haziran ιουνίου ιούνιος يونيو जून มิถุนายน",
    "july jul juli julio juillet luglio lug julho июля июль temmuz ιουλίου ιούλιος يوليو जुलाई กรกฎาคม",
    "august aug agosto ago août augustus августа август авг ağustos αυγούστου αύγουστος أغسطس अगस्त สิงหาคม",
    "september sept sep septiembre septembre settembre set setembro сентября сентябрь сен eylül σεπτεμβρίου "
    "σεπτέμβριος سبتمبر सितंबर सितम्बर กันยายน",
    "october oct oktober okt octubre octobre ottobre ott outubro out октября октябрь окт ekim οκτωβρίου οκτώβριος "
    "أكتوبر अक्टूबर अक्तूबर ตุลาคม",
    "november nov noviembre novembre novembro ноября ноябрь ноя kasım νοεμβρίου νοέμβριος نوفمبر नवंबर नवम्बर พฤศจิกายน",
    "december dec dezember dez diciembre dic décembre déc dicembre dezembro декабря декабрь дек aralık δεκεμβρίου "
    "δεκέμβριος ديسمبر दिसंबर दिसम्बर ธันวาคม",
)
MONTHS: Mapping[str, int] = {word: number for number, names in enumerate(_MONTH_NAMES, 1) for word in names.split()}
"""1 to 12 by the names of months, in small letters."""


def month_of(name: str) -> int:
    """1 to 12 for the name of a month, 0 for any other word."""
    return MONTHS.get(name.casefold(), 0)


def is_figure_word(word: str) -> bool:
    """Whether a word is the name of a month, a unit or a multiplier."""
    small = word.casefold()
    return small in MONTHS or word in UNITS or small in UNITS or small in MULTIPLIERS


_SMALL_MONTHS = frozenset(("es", "pt", "fr", "it", "nl", "ru", "el", "hi"))
"""Languages in which no capital, or a capital alone, makes known that a word is the name of a month."""
_LETTERS = re.compile(r"[^\s\d.,;:!?()\"«»।]{4,}")


def months_said(text: str, language: str) -> Mapping[int, str]:
    """Months whose names are in a text, 1 to 12, as they are written; none in a language whose names have capitals, or
    mean something else as often."""
    if language not in _SMALL_MONTHS:
        return {}
    return {month: word for word in _LETTERS.findall(text) if (month := month_of(word))}


_MONTH = r"(?P<month>[^\s\d.,;:()]{2,14})\.?"
_DAY = r"(?<![\d.,])(?P<day>\d{1,2})(?!\d)"
_YEAR = r"(?P<year>[12]\d{3})(?!\d)"
_OF = r"(?:\s+(?:de|of|del|do))?"

DATES_WITH_MONTHS: Sequence[re.Pattern[str]] = tuple(
    re.compile(each, re.IGNORECASE)
    for each in (
        rf"{_DAY}(?:st|nd|rd|th|er|º|°|\.)?{_OF}\s*{_MONTH}(?:{_OF},?\s+{_YEAR})?",
        rf"(?<![^\s(]){_MONTH}\s+{_DAY}(?:st|nd|rd|th)?(?:\s*,?\s+{_YEAR})?",
        rf"(?<![^\s(]){_MONTH}{_OF},?\s+{_YEAR}",
    )
)
"""Dates with the name of a month, groups `day`, `month`, `year`: the day before it, behind it, or not said.

What stands where the name should is to be asked of `month_of`.
"""
