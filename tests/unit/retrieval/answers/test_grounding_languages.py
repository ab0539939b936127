"""Claims in sixteen languages: what a fact says is supported, what it says of other things and numbers is not."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from openplaybook.retrieval.answers.groundedness import CITATION_THRESHOLD, grounded

TOWERS: dict[str, tuple[str, tuple[str, ...], tuple[str, ...], str]] = {
    "en": (
        "The tower was finished on 31 March 1889 and is 330 metres high. About six million people visit it every year.",
        (
            "The tower is 330 metres high.",
            "Six million people visit the tower every year.",
            "It was finished on March 31, 1889.",
        ),
        (
            "The tower is 340 metres high.",
            "Eight million people visit the tower every year.",
            "It was finished on April 31, 1889.",
        ),
        "Purple bananas sing under the kitchen table.",
    ),
    "de": (
        "Der Turm wurde am 31. "
        "März 1889 fertig und ist 330 Meter hoch. Etwa sechs Millionen Menschen besuchen ihn jedes Jahr.",
        (
            "Der Turm ist 330 Meter hoch.",
            "Sechs Millionen Menschen besuchen den Turm jedes Jahr.",
            "Er wurde am 31.03.1889 fertig.",
        ),
        (
            "Der Turm ist 340 Meter hoch.",
            "Acht Millionen Menschen besuchen den Turm jedes Jahr.",
            "Er wurde am 31.04.1889 fertig.",
        ),
        "Lila Bananen singen unter dem Küchentisch.",
    ),
    "es": (
        "La torre se terminó el 31 de marzo de 1889 y mide 330 metros. "
        "Unos seis millones de personas la visitan cada año.",
        (
            "La torre mide 330 metros.",
            "Seis millones de personas visitan la torre cada año.",
            "Se terminó el 31/3/1889.",
        ),
        (
            "La torre mide 340 metros.",
            "Ocho millones de personas visitan la torre cada año.",
            "Se terminó el 31/5/1889.",
        ),
        "Los plátanos morados cantan debajo de la mesa.",
    ),
    "fr": (
        "La tour fut achevée le 31 mars 1889 et mesure 330 mètres. "
        "Environ six millions de personnes la visitent chaque année.",
        (
            "La tour mesure 330 mètres.",
            "Six millions de personnes visitent la tour chaque année.",
            "Elle fut achevée le 31/03/1889.",
        ),
        (
            "La tour mesure 340 mètres.",
            "Huit millions de personnes visitent la tour chaque année.",
            "Elle fut achevée le 31 mai 1889.",
        ),
        "Les bananes violettes chantent sous la table.",
    ),
    "it": (
        "La torre fu terminata il 31 marzo 1889 ed è alta 330 metri. "
        "Circa sette milioni di persone la visitano ogni anno.",
        (
            "La torre è alta 330 metri.",
            "Sette milioni di persone visitano la torre ogni anno.",
            "Fu terminata il 31/3/1889.",
        ),
        (
            "La torre è alta 340 metri.",
            "Otto milioni di persone visitano la torre ogni anno.",
            "Fu terminata il 31 maggio 1889.",
        ),
        "Le banane viola cantano sotto il tavolo.",
    ),
    "pt": (
        "A torre foi concluída em 31 de março de 1889 e tem 330 metros. "
        "Cerca de seis milhões de pessoas a visitam por ano.",
        (
            "A torre tem 330 metros.",
            "Seis milhões de pessoas visitam a torre por ano.",
            "Foi concluída em 31/3/1889.",
        ),
        (
            "A torre tem 340 metros.",
            "Oito milhões de pessoas visitam a torre por ano.",
            "Foi concluída em 31 de maio de 1889.",
        ),
        "As bananas roxas cantam debaixo da mesa.",
    ),
    "nl": (
        "De toren werd op 31 maart 1889 voltooid en is 330 meter hoog. "
        "Ongeveer zes miljoen mensen bezoeken hem elk jaar.",
        (
            "De toren is 330 meter hoog.",
            "Zes miljoen mensen bezoeken de toren elk jaar.",
            "Hij werd op 31-3-1889 voltooid.",
        ),
        (
            "De toren is 340 meter hoog.",
            "Acht miljoen mensen bezoeken de toren elk jaar.",
            "Hij werd op 31 mei 1889 voltooid.",
        ),
        "Paarse bananen zingen onder de keukentafel.",
    ),
    "ru": (
        "Башню достроили 31 марта 1889 года, её высота 330 метров. "
        "Около шести миллионов человек посещают её каждый год.",
        (
            "Высота башни 330 метров.",
            "Шесть миллионов человек посещают башню каждый год.",
            "Башню достроили 31.03.1889.",
        ),
        (
            "Высота башни 340 метров.",
            "Восемь миллионов человек посещают башню каждый год.",
            "Башню достроили 31 мая 1889 года.",
        ),
        "Фиолетовые бананы поют под столом.",
    ),
    "ar": (
        "اكتمل بناء البرج في 31 مارس 1889 ويبلغ ارتفاعه 330 مترا. يزوره نحو ستة ملايين شخص كل عام.",
        (
            "يبلغ ارتفاع البرج 330 مترا.",
            "يزور البرج ستة ملايين شخص كل عام.",
            "اكتمل بناء البرج في 31/3/1889.",
        ),
        (
            "يبلغ ارتفاع البرج 340 مترا.",
            "يزور البرج ثمانية ملايين شخص كل عام.",
            "اكتمل بناء البرج في 31 مايو 1889.",
        ),
        "الموز البنفسجي يغني تحت الطاولة.",
    ),
    "hi": (
        "मीनार 31 मार्च 1889 को पूरी हुई और 330 मीटर ऊँची है। हर साल लगभग साठ लाख लोग इसे देखने आते हैं।",
        (
            "मीनार 330 मीटर ऊँची है।",
            "हर साल साठ लाख लोग मीनार देखने आते हैं।",
            "मीनार 31/3/1889 को पूरी हुई।",
        ),
        (
            "मीनार 340 मीटर ऊँची है।",
            "हर साल अस्सी लाख लोग मीनार देखने आते हैं।",
            "मीनार 31 मई 1889 को पूरी हुई।",
        ),
        "बैंगनी केले मेज़ के नीचे गाते हैं।",
    ),
    "zh": (
        "这座塔于1889年3月31日完工，高330米。每年约有六百万人参观。",
        (
            "这座塔高330米。",
            "每年有六百万人参观这座塔。",
            "这座塔1889年3月31日完工。",
        ),
        (
            "这座塔高340米。",
            "每年有八百万人参观这座塔。",
            "这座塔1889年5月31日完工。",
        ),
        "紫色的香蕉在桌子下面唱歌。",
    ),
    "ja": (
        "この塔は1889年3月31日に完成し、高さは330メートルです。毎年およそ六百万人が訪れます。",
        (
            "塔の高さは330メートルです。",
            "塔には毎年六百万人が訪れます。",
            "塔は1889年3月31日に完成しました。",
        ),
        (
            "塔の高さは340メートルです。",
            "塔には毎年八百万人が訪れます。",
            "塔は1889年5月31日に完成しました。",
        ),
        "紫色のバナナが台所で歌っている。",
    ),
    "ko": (
        "이 탑은 1889년 3월 31일에 완공되었고 높이는 330미터이다. 해마다 약 육백만 명이 방문한다.",
        (
            "탑의 높이는 330미터이다.",
            "해마다 육백만 명이 탑을 방문한다.",
            "탑은 1889년 3월 31일에 완공되었다.",
        ),
        (
            "탑의 높이는 340미터이다.",
            "해마다 팔백만 명이 탑을 방문한다.",
            "탑은 1889년 5월 31일에 완공되었다.",
        ),
        "보라색 바나나가 부엌에서 노래한다.",
    ),
    "th": (
        "หอคอยสร้างเสร็จเมื่อวันที่ 31 มีนาคม 1889 และสูง 330 เมตร มีคนมาเยี่ยมชมประมาณหกล้านคนทุกปี",
        (
            "หอคอยสูง 330 เมตร",
            "มีคนมาเยี่ยมชมหอคอยหกล้านคนทุกปี",
            "หอคอยสร้างเสร็จเมื่อวันที่ 31 มีนาคม 1889",
        ),
        (
            "หอคอยสูง 340 เมตร",
            "มีคนมาเยี่ยมชมหอคอยแปดล้านคนทุกปี",
            "หอคอยสร้างเสร็จเมื่อวันที่ 31 พฤษภาคม 1889",
        ),
        "กล้วยสีม่วงร้องเพลงใต้โต๊ะ",
    ),
    "el": (
        "Ο πύργος ολοκληρώθηκε στις 31 Μαρτίου 1889 και έχει ύψος 330 μέτρα. "
        "Περίπου έξι εκατομμύρια άνθρωποι τον επισκέπτονται κάθε χρόνο.",
        (
            "Ο πύργος έχει ύψος 330 μέτρα.",
            "Έξι εκατομμύρια άνθρωποι επισκέπτονται τον πύργο κάθε χρόνο.",
            "Ο πύργος ολοκληρώθηκε στις 31/3/1889.",
        ),
        (
            "Ο πύργος έχει ύψος 340 μέτρα.",
            "Οκτώ εκατομμύρια άνθρωποι επισκέπτονται τον πύργο κάθε χρόνο.",
            "Ο πύργος ολοκληρώθηκε στις 31 Μαΐου 1889.",
        ),
        "Μωβ μπανάνες τραγουδούν κάτω από το τραπέζι.",
    ),
    "tr": (
        "Kule 31 Mart 1889 tarihinde tamamlandı ve 330 metre yüksekliğindedir. "
        "Her yıl yaklaşık altı milyon kişi onu ziyaret eder.",
        (
            "Kule 330 metre yüksekliğindedir.",
            "Her yıl altı milyon kişi kuleyi ziyaret eder.",
            "Kule 31.03.1889 tarihinde tamamlandı.",
        ),
        (
            "Kule 340 metre yüksekliğindedir.",
            "Her yıl sekiz milyon kişi kuleyi ziyaret eder.",
            "Kule 31 Mayıs 1889 tarihinde tamamlandı.",
        ),
        "Mor muzlar masanın altında şarkı söyler.",
    ),
}
"""A fact, what it supports, what it does not for another number or date, and nonsense, by language."""

ATTACKS: tuple[tuple[str, str, str, str, str], ...] = (
    (
        "es",
        "month alone",
        "La feria se celebra en mayo.",
        "En mayo se celebra la feria.",
        "En junio se celebra la feria.",
    ),
    ("pt", "month alone", "A feira acontece em maio.", "Em maio acontece a feira.", "Em junho acontece a feira."),
    ("ru", "month alone", "Ярмарка проходит в августе.", "В августе проходит ярмарка.", "В декабре проходит ярмарка."),
    (
        "en",
        "multiplier",
        "The city has 3 million inhabitants.",
        "The city has 3,000,000 inhabitants.",
        "The city has 3 billion inhabitants.",
    ),
    (
        "pt",
        "multiplier",
        "O filme arrecadou 73 milhões.",
        "O filme arrecadou 73.000.000.",
        "O filme arrecadou 73 bilhões.",
    ),
    (
        "en",
        "month",
        "The fair opens on 4 May 2024 in Leeds.",
        "The fair in Leeds opens on May 4, 2024.",
        "The fair in Leeds opens on June 4, 2024.",
    ),
    (
        "en",
        "month alone",
        "The fair opens every May in Leeds.",
        "The Leeds fair opens every May.",
        "The Leeds fair opens every June.",
    ),
    (
        "en",
        "month year",
        "The fair began in May 2024.",
        "The fair began in May of 2024.",
        "The fair began in March 2024.",
    ),
    (
        "en",
        "unit",
        "A crate weighs 20 kg and holds 12 bottles.",
        "A crate weighs 20 kilograms.",
        "A crate weighs 20 lb.",
    ),
    (
        "en",
        "unit pounds",
        "A crate weighs 20 kg and holds 12 bottles.",
        "A crate weighs 20 kg.",
        "A crate weighs 20 pounds.",
    ),
    (
        "en",
        "negation",
        "Dogs are allowed on the beach in winter.",
        "In winter dogs are allowed on the beach.",
        "In winter dogs are not allowed on the beach.",
    ),
    (
        "en",
        "negation n't",
        "Members can bring guests to the pool.",
        "Members can bring guests.",
        "Members can't bring guests to the pool.",
    ),
    (
        "en",
        "negation isn't",
        "The museum is open on Mondays.",
        "The museum is open on Mondays.",
        "The museum isn't open on Mondays.",
    ),
    (
        "en",
        "number word",
        "The course takes eleven weeks.",
        "The course takes 11 weeks.",
        "The course takes twelve weeks.",
    ),
    (
        "en",
        "number word big",
        "The hall seats three hundred guests.",
        "The hall seats 300 guests.",
        "The hall seats four hundred guests.",
    ),
    (
        "en",
        "number compound",
        "The hall has twenty-four doors.",
        "The hall has 24 doors.",
        "The hall has twenty-six doors.",
    ),
    (
        "en",
        "points",
        "The rate rose by 3 percent in June.",
        "In June the rate rose by 3%.",
        "In June the rate rose by 3 percentage points.",
    ),
    (
        "en",
        "prefix name",
        "Mark Anders founded the firm in Oslo.",
        "The firm was founded in Oslo by Mark Anders.",
        "The firm was founded in Oslo by Mark Anderson.",
    ),
    (
        "en",
        "prefix name 2",
        "The train stops in Newport twice a day.",
        "The train stops in Newport twice a day.",
        "The train stops in Newportville twice a day.",
    ),
    ("en", "currency", "The ticket costs 30 euros.", "The ticket costs €30.", "The ticket costs $30."),
    ("en", "currency gbp", "The ticket costs £30.", "The ticket costs 30 pounds.", "The ticket costs 30 euros."),
    (
        "en",
        "date format",
        "The shop closed on 2023-07-09.",
        "The shop closed on July 9, 2023.",
        "The shop closed on July 19, 2023.",
    ),
    (
        "en",
        "time",
        "The bus leaves at 9:30 from the square.",
        "The bus leaves the square at 9:30.",
        "The bus leaves the square at 9:50.",
    ),
    (
        "en",
        "range",
        "Rooms cost between 40 and 60 dollars.",
        "Rooms cost 40 to 60 dollars.",
        "Rooms cost 40 to 80 dollars.",
    ),
    ("en", "ordinal", "She finished in third place.", "She finished third.", "She finished second."),
    (
        "en",
        "weekday",
        "The library is closed on Tuesdays.",
        "The library is closed on Tuesday.",
        "The library is closed on Thursday.",
    ),
    (
        "de",
        "month",
        "Die Messe beginnt am 4. Mai 2024 in Bonn.",
        "Die Messe in Bonn beginnt am 04.05.2024.",
        "Die Messe in Bonn beginnt am 4. Juni 2024.",
    ),
    ("de", "unit", "Eine Kiste wiegt 20 kg.", "Eine Kiste wiegt 20 Kilogramm.", "Eine Kiste wiegt 20 Pfund."),
    (
        "de",
        "negation",
        "Hunde sind am Strand erlaubt.",
        "Am Strand sind Hunde erlaubt.",
        "Am Strand sind Hunde nicht erlaubt.",
    ),
    (
        "de",
        "negation un",
        "Der Eintritt ist kostenlos für Kinder.",
        "Für Kinder ist der Eintritt kostenlos.",
        "Für Kinder ist der Eintritt nicht kostenlos.",
    ),
    ("de", "number word", "Der Kurs dauert elf Wochen.", "Der Kurs dauert 11 Wochen.", "Der Kurs dauert zwölf Wochen."),
    ("de", "number compound", "Das Haus hat vierundzwanzig Türen.", "Das Haus hat 24 Türen.", "Das Haus hat 26 Türen."),
    (
        "de",
        "number compound 2",
        "Das Haus hat vierundzwanzig Türen.",
        "Das Haus hat vierundzwanzig Türen.",
        "Das Haus hat sechsundzwanzig Türen.",
    ),
    ("de", "points", "Der Zins stieg um 3 Prozent.", "Der Zins stieg um 3 %.", "Der Zins stieg um 3 Prozentpunkte."),
    ("de", "currency", "Die Karte kostet 30 Euro.", "Die Karte kostet 30 €.", "Die Karte kostet 30 Franken."),
    (
        "de",
        "prefix name",
        "Mark Anders gründete die Firma in Oslo.",
        "Die Firma wurde von Mark Anders in Oslo gegründet.",
        "Die Firma wurde von Mark Andersen in Oslo gegründet.",
    ),
    (
        "de",
        "weekday",
        "Die Bücherei ist dienstags geschlossen.",
        "Dienstags ist die Bücherei geschlossen.",
        "Donnerstags ist die Bücherei geschlossen.",
    ),
    (
        "es",
        "month",
        "La feria empieza el 4 de mayo de 2024.",
        "La feria empieza el 04/05/2024.",
        "La feria empieza el 4 de junio de 2024.",
    ),
    ("es", "unit", "Una caja pesa 20 kg.", "Una caja pesa 20 kilogramos.", "Una caja pesa 20 libras."),
    (
        "es",
        "negation",
        "Los perros pueden entrar en la playa.",
        "En la playa pueden entrar los perros.",
        "En la playa no pueden entrar los perros.",
    ),
    ("es", "number word", "El curso dura once semanas.", "El curso dura 11 semanas.", "El curso dura doce semanas."),
    (
        "es",
        "number 24",
        "La casa tiene veinticuatro puertas.",
        "La casa tiene 24 puertas.",
        "La casa tiene veintiséis puertas.",
    ),
    ("es", "points", "El tipo subió un 3 por ciento.", "El tipo subió un 3 %.", "El tipo subió 3 puntos porcentuales."),
    ("es", "currency", "La entrada cuesta 30 euros.", "La entrada cuesta 30 €.", "La entrada cuesta 30 dólares."),
    (
        "fr",
        "month",
        "La foire commence le 4 mai 2024.",
        "La foire commence le 04/05/2024.",
        "La foire commence le 4 juin 2024.",
    ),
    ("fr", "unit", "Une caisse pèse 20 kg.", "Une caisse pèse 20 kilogrammes.", "Une caisse pèse 20 livres."),
    (
        "fr",
        "negation",
        "Les chiens sont admis sur la plage.",
        "Sur la plage les chiens sont admis.",
        "Sur la plage les chiens ne sont pas admis.",
    ),
    (
        "fr",
        "number word",
        "Le cours dure onze semaines.",
        "Le cours dure 11 semaines.",
        "Le cours dure douze semaines.",
    ),
    ("fr", "currency", "Le billet coûte 30 euros.", "Le billet coûte 30 €.", "Le billet coûte 30 francs."),
    (
        "it",
        "number word",
        "Il corso dura undici settimane.",
        "Il corso dura 11 settimane.",
        "Il corso dura dodici settimane.",
    ),
    (
        "it",
        "negation",
        "I cani sono ammessi in spiaggia.",
        "In spiaggia i cani sono ammessi.",
        "In spiaggia i cani non sono ammessi.",
    ),
    ("it", "currency", "Il biglietto costa 30 euro.", "Il biglietto costa 30 €.", "Il biglietto costa 30 dollari."),
    (
        "pt",
        "month",
        "A feira começa em 4 de maio de 2024.",
        "A feira começa em 04/05/2024.",
        "A feira começa em 4 de junho de 2024.",
    ),
    ("pt", "number word", "O curso dura onze semanas.", "O curso dura 11 semanas.", "O curso dura doze semanas."),
    (
        "pt",
        "negation",
        "Os cães podem entrar na praia.",
        "Na praia os cães podem entrar.",
        "Na praia os cães não podem entrar.",
    ),
    ("pt", "currency", "O bilhete custa 30 euros.", "O bilhete custa 30 €.", "O bilhete custa 30 reais."),
    ("nl", "number word", "De cursus duurt elf weken.", "De cursus duurt 11 weken.", "De cursus duurt twaalf weken."),
    (
        "nl",
        "number 24",
        "Het huis heeft vierentwintig deuren.",
        "Het huis heeft 24 deuren.",
        "Het huis heeft zesentwintig deuren.",
    ),
    (
        "nl",
        "negation",
        "Honden zijn toegestaan op het strand.",
        "Op het strand zijn honden toegestaan.",
        "Op het strand zijn honden niet toegestaan.",
    ),
    (
        "ru",
        "month",
        "Ярмарка начинается 4 мая 2024 года.",
        "Ярмарка начинается 04.05.2024.",
        "Ярмарка начинается 4 июня 2024 года.",
    ),
    ("ru", "unit", "Ящик весит 20 кг.", "Ящик весит 20 килограммов.", "Ящик весит 20 фунтов."),
    ("ru", "negation", "Собак пускают на пляж.", "На пляж пускают собак.", "На пляж не пускают собак."),
    ("ru", "currency", "Билет стоит 30 евро.", "Билет стоит 30 €.", "Билет стоит 30 рублей."),
    (
        "ar",
        "negation",
        "الكلاب مسموح بها على الشاطئ.",
        "على الشاطئ الكلاب مسموح بها.",
        "الكلاب غير مسموح بها على الشاطئ.",
    ),
    ("ar", "number word", "تستمر الدورة عشرة أسابيع.", "تستمر الدورة 10 أسابيع.", "تستمر الدورة تسعة أسابيع."),
    ("hi", "number word", "पाठ्यक्रम ग्यारह सप्ताह चलता है।", "पाठ्यक्रम 11 सप्ताह चलता है।", "पाठ्यक्रम बारह सप्ताह चलता है।"),
    ("hi", "negation", "समुद्र तट पर कुत्ते ले जा सकते हैं।", "कुत्ते समुद्र तट पर ले जा सकते हैं।", "कुत्ते समुद्र तट पर नहीं ले जा सकते हैं।"),
    ("zh", "negation", "狗可以进入海滩。", "狗可以进入海滩。", "狗不可以进入海滩。"),
    ("zh", "number word", "课程持续十一周。", "课程持续11周。", "课程持续十二周。"),
    ("zh", "currency", "一张门票的价格是30欧元。", "门票价格是30欧元。", "门票价格是30美元。"),
    ("ja", "negation", "犬は海岸に入れます。", "海岸に犬は入れます。", "犬は海岸に入れません。"),
    ("ja", "number word", "講座は十一週間続きます。", "講座は11週間続きます。", "講座は十二週間続きます。"),
    ("ko", "negation", "개는 해변에 들어갈 수 있다.", "해변에 개는 들어갈 수 있다.", "개는 해변에 들어갈 수 없다."),
    ("ko", "number", "강좌는 11주 동안 이어진다.", "강좌는 11주 이어진다.", "강좌는 12주 이어진다."),
    ("th", "negation", "สุนัขเข้าชายหาดได้", "สุนัขเข้าชายหาดได้", "สุนัขเข้าชายหาดไม่ได้"),
    (
        "el",
        "number word",
        "Το μάθημα διαρκεί έντεκα εβδομάδες.",
        "Το μάθημα διαρκεί 11 εβδομάδες.",
        "Το μάθημα διαρκεί δώδεκα εβδομάδες.",
    ),
    (
        "el",
        "negation",
        "Οι σκύλοι επιτρέπονται στην παραλία.",
        "Στην παραλία επιτρέπονται οι σκύλοι.",
        "Στην παραλία δεν επιτρέπονται οι σκύλοι.",
    ),
    ("tr", "number word", "Kurs on bir hafta sürer.", "Kurs 11 hafta sürer.", "Kurs on iki hafta sürer."),
    ("tr", "negation", "Köpekler plaja girebilir.", "Plaja köpekler girebilir.", "Köpekler plaja giremez."),
)
"""Language, what is changed, a fact, a claim that it supports, and one that it does not."""


def score(claim: str, fact: str, language: str) -> float:
    return grounded(claim, (fact,), language).score


@pytest.mark.parametrize("language", TOWERS)
def test_what_a_fact_says_is_supported_and_nonsense_is_not(language: str) -> None:
    fact, supported, swapped, nonsense = TOWERS[language]
    assert [each for each in supported if score(each, fact, language) < CITATION_THRESHOLD] == []
    assert [each for each in swapped if score(each, fact, language) >= CITATION_THRESHOLD] == []
    assert score(nonsense, fact, language) < 0.4


@given(some.sampled_from(sorted(TOWERS)), some.integers(2, 9_999), some.integers(2, 9_999))
def test_a_number_is_supported_where_the_fact_has_it_and_only_there(language: str, said: int, other: int) -> None:
    fact, supported, _, _ = TOWERS[language]
    fact, claim = fact.replace("330", str(said)), supported[0]
    assert score(claim.replace("330", str(said)), fact, language) >= CITATION_THRESHOLD
    if other != said:
        assert score(claim.replace("330", str(other)), fact, language) < CITATION_THRESHOLD


@given(some.sampled_from(sorted(TOWERS)), some.sampled_from(sorted(TOWERS)))
def test_nonsense_is_not_supported_by_facts_in_any_language(language: str, other: str) -> None:
    facts = (TOWERS[language][0], TOWERS[other][0])
    assert grounded(TOWERS[language][3], facts, language).score < 0.4


@pytest.mark.parametrize(("language", "kind", "fact", "supported", "wrong"), ATTACKS)
def test_a_small_change_that_makes_a_claim_false_is_seen(
    language: str, kind: str, fact: str, supported: str, wrong: str
) -> None:
    assert score(supported, fact, language) >= CITATION_THRESHOLD, kind
    assert score(wrong, fact, language) < CITATION_THRESHOLD, kind
