"""The tables behind `local_forms`, language by language: facts of CLDR 46."""

from types import MappingProxyType

from openplaybook.models.offline.language.local_forms import LocalForms


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_NUMERIC = ("{dd}/{mm}/{y}", "{d}/{m}/{y}", "{dd}.{mm}.{y}", "{d}.{m}.{y}", "{dd}-{mm}-{y}", "{dd}/{mm}", "{d}/{m}")
_CLOCKS = ("{h}:{mm}", "{hh}:{mm}", "{hh}.{mm}", "{h}.{mm}", "{h}h{mm}", "{hh}h{mm}")
_SIGNS = {"EUR": "€", "GBP": "£", "KRW": "₩", "BRL": "R$", "INR": "₹"}

ENGLISH_FORMS = LocalForms(
    decimal=".",
    group=",",
    least_grouped=4,
    months=_names("January February March April May June July August September October November December"),
    short_months=_names("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"),
    days=_names("Monday Tuesday Wednesday Thursday Friday Saturday Sunday"),
    dates=(
        "{month} {d}, {y}",
        "{day}, {month} {d}, {y}",
        "{day}, {d} {month} {y}",
        "{day}, {month} {d}",
        "{day} {d} {month}",
        "{d} {month} {y}",
        "{month} {d}",
        "{d} {month}",
        "{mon} {d}, {y}",
        "{d} {mon} {y}",
        "{mon} {d}",
        "{d} {mon}",
        "{m}/{d}/{y}",
        "{mm}/{dd}/{y}",
        *_NUMERIC[:3],
    ),
    times=("{h12}:{mm} {half}", "{h12}:{mm} {low}", "{h12}:{mm}{low}", "{h12}:{mm}{half}", "{hh}:{mm}", "{h}:{mm}"),
    money="{sign}{amount}",
    signs={**_SIGNS, "USD": "$", "JPY": "¥", "MXN": "MX$", "CAD": "CA$", "AUD": "A$", "CNY": "CN¥"},
)

GERMAN_FORMS = LocalForms(
    decimal=",",
    group=".",
    least_grouped=4,
    months=_names("Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
    short_months=_names("Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez."),
    days=_names("Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag"),
    dates=(
        "{d}. {month} {y}",
        "{day}, {d}. {month} {y}",
        "{day}, dem {d}. {month} {y}",
        "{day}, den {d}. {month} {y}",
        "{day}, {d}. {month}",
        "{day}, dem {d}. {month}",
        "{d}. {month}",
        "{d}. {mon} {y}",
        "{dd}.{mm}.{y}",
        "{d}.{m}.{y}",
        "{dd}.{mm}.",
        "{d}.{m}.",
    ),
    times=("{hh}:{mm}", *_CLOCKS),
    money="{amount}\N{NO-BREAK SPACE}{sign}",
    signs={**_SIGNS, "USD": "$", "JPY": "¥", "MXN": "MX$", "CAD": "CA$", "AUD": "AU$", "CNY": "CN¥"},
)

SPANISH_FORMS = LocalForms(
    decimal=",",
    group=".",
    least_grouped=5,
    months=_names("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"),
    short_months=_names("ene feb mar abr may jun jul ago sept oct nov dic"),
    days=_names("lunes martes miércoles jueves viernes sábado domingo"),
    dates=(
        "{d} de {month} de {y}",
        "{day}, {d} de {month} de {y}",
        "{day} {d} de {month} de {y}",
        "{day} {d} de {month}",
        "{d} de {month}",
        "{d} {mon} {y}",
        *_NUMERIC,
    ),
    times=_CLOCKS,
    money="{amount}\N{NO-BREAK SPACE}{sign}",
    signs={"EUR": "€", "USD": "US$"},
)

FRENCH_FORMS = LocalForms(
    decimal=",",
    group="\N{NARROW NO-BREAK SPACE}",
    least_grouped=4,
    months=_names("janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
    short_months=_names("janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc."),
    days=_names("lundi mardi mercredi jeudi vendredi samedi dimanche"),
    dates=("{d} {month} {y}", "{day} {d} {month} {y}", "{day} {d} {month}", "{d} {month}", "{d} {mon} {y}", *_NUMERIC),
    times=("{hh}:{mm}", "{h}:{mm}", "{hh}h{mm}", "{h}h{mm}", "{hh} h {mm}", "{h} h {mm}"),
    money="{amount}\N{NO-BREAK SPACE}{sign}",
    signs={"EUR": "€", "USD": "$US", "GBP": "£GB", "KRW": "₩", "BRL": "R$", "MXN": "$MX", "CAD": "$CA", "INR": "₹"},
)

PORTUGUESE_FORMS = LocalForms(
    decimal=",",
    group=".",
    least_grouped=4,
    months=_names("janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"),
    short_months=_names("jan. fev. mar. abr. mai. jun. jul. ago. set. out. nov. dez."),
    days=_names("segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo"),
    dates=(
        "{d} de {month} de {y}",
        "{day}, {d} de {month} de {y}",
        "{day}, {d} de {month}",
        "{d} de {month}",
        "{d} de {mon} de {y}",
        *_NUMERIC,
    ),
    times=("{hh}:{mm}", *_CLOCKS),
    money="{sign}\N{NO-BREAK SPACE}{amount}",
    signs={**_SIGNS, "USD": "US$", "JPY": "JP¥", "MXN": "MX$", "CAD": "CA$", "AUD": "AU$", "CNY": "CN¥"},
)

ITALIAN_FORMS = LocalForms(
    decimal=",",
    group=".",
    least_grouped=4,
    months=_names("gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"),
    short_months=_names("gen feb mar apr mag giu lug ago set ott nov dic"),
    days=_names("lunedì martedì mercoledì giovedì venerdì sabato domenica"),
    dates=("{d} {month} {y}", "{day} {d} {month} {y}", "{day} {d} {month}", "{d} {month}", "{d} {mon} {y}", *_NUMERIC),
    times=("{hh}:{mm}", *_CLOCKS),
    money="{amount}\N{NO-BREAK SPACE}{sign}",
    signs={"EUR": "€", "GBP": "£", "CAD": "CA$", "AUD": "A$", "CNY": "CN¥"},
)

_EASTERN_MONTHS = tuple(map(str, range(1, 13)))

JAPANESE_FORMS = LocalForms(
    decimal=".",
    group=",",
    least_grouped=4,
    months=_EASTERN_MONTHS,
    short_months=_EASTERN_MONTHS,
    days=_names("月 火 水 木 金 土 日"),
    dates=(
        "{y}年{m}月{d}日",
        "{y}年{m}月{d}日{day}曜日",
        "{y}年{m}月{d}日({day})",
        "{y}年{m}月{d}日（{day}）",
        "{m}月{d}日{day}曜日",
        "{m}月{d}日({day})",
        "{m}月{d}日（{day}）",
        "{m}月{d}日",
        "{y}/{mm}/{dd}",
        "{y}/{m}/{d}",
        "{m}/{d}",
    ),
    times=("{h}:{mm}", "{hh}:{mm}", "{half}{h12}時{mm}分", "{h}時{mm}分"),
    money="{sign}{amount}",
    signs={**_SIGNS, "USD": "$", "JPY": "￥", "MXN": "MX$", "CAD": "CA$", "AUD": "A$", "CNY": "元"},
    halves=("午前", "午後"),
    moment="{} {}",
)

KOREAN_FORMS = LocalForms(
    decimal=".",
    group=",",
    least_grouped=4,
    months=_EASTERN_MONTHS,
    short_months=_EASTERN_MONTHS,
    days=_names("월 화 수 목 금 토 일"),
    dates=(
        "{y}년 {m}월 {d}일",
        "{y}년 {m}월 {d}일 {day}요일",
        "{y}년 {m}월 {d}일({day})",
        "{m}월 {d}일 {day}요일",
        "{m}월 {d}일({day})",
        "{m}월 {d}일",
        "{y}. {m}. {d}.",
        "{y}.{mm}.{dd}",
        "{y}/{mm}/{dd}",
    ),
    times=("{half} {h12}:{mm}", "{half} {h12}시 {mm}분", "{h}시 {mm}분", "{hh}:{mm}", "{h}:{mm}"),
    money="{sign}{amount}",
    signs={**_SIGNS, "USD": "US$", "JPY": "JP¥", "MXN": "MX$", "CAD": "CA$", "AUD": "AU$", "CNY": "CN¥"},
    halves=("오전", "오후"),
    moment="{} {}",
)

_BY_LANGUAGE = MappingProxyType(
    {
        "en": ENGLISH_FORMS,
        "de": GERMAN_FORMS,
        "es": SPANISH_FORMS,
        "fr": FRENCH_FORMS,
        "pt": PORTUGUESE_FORMS,
        "it": ITALIAN_FORMS,
        "ja": JAPANESE_FORMS,
        "ko": KOREAN_FORMS,
    }
)


def forms_for(language_code: str) -> LocalForms:
    """The forms of a language, such as `de` or `de-AT`; those of English for one that has none here."""
    return _BY_LANGUAGE.get(language_code[:2].casefold(), ENGLISH_FORMS)
