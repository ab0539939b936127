"""Words that stand in nearly every text of a language, by which it is known and which a question is not searched by."""

from collections.abc import Mapping

_LISTS = {
    "en": """a about after all also am an and any are as at be because been before being but by can could
        did do does doing don for from get had has have having he her him his how i if in into is isn it its
        just me more most my no nor not of off on or other our out over own s same she should so some such t
        than that the their them then there these they this those through to too under up very was we were what
        when where which while who whom whose why will with would you your""",
    "de": """aber als am an auch auf aus bei bin bis da damit dann das dass dein deine dem den der des die
        dies diese diesem diesen dieser dieses du durch ein eine einem einen einer eines er es für hat hatte
        haben hatten ich ihr ihre ihrem ihren ihrer im in ist ja kann können kein keine man mein meine mich mir
        mit muss müssen nach nicht noch nur ob oder ohne sehr sein seine seinem seinen seiner sich sie sind so
        soll sollte um und uns unter vom von vor wann war waren warum was welche welchem welchen welcher welches
        wenn wer werden werde wie wieso wir wird wo wurde wurden zu zum zur zwischen über""",
    "es": """a al ante como con contra cual cuales cuando cuál cuáles cuándo cuánto cuánta cuántos cuántas
        cómo de del desde donde dónde durante e el ella ellas ellos en entre era eran es esa ese eso esta estaba
        estas este esto estos está están fue fueron ha han había hasta hay la las le les lo los me mi mis más
        muy no nos o para pero por porque que quien quién quiénes qué se ser si sin sobre son su sus sí también
        te tiene tienen tu tus u un una unas uno unos y ya yo debe debo deben puede puedo pueden puedes""",
    "fr": """a ai au aux avec avait ce ces cet cette comme comment d dans de des donc dont du elle elles en
        entre est et eu eux fait il ils j je l la le les leur leurs lui m ma mais me mes moi mon même n ne nos
        notre nous on ont ou où par pas plus pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa
        sans se ses si son sont sur ta te tes toi ton tu un une vos votre vous y à était étaient été être c
        combien dois doit doivent faut peut peux peuvent pouvez puis puisse""",
    "it": """a ad agli ai al alla alle allo anche c che chi ci come con cosa cui da dagli dai dal dalla
        dalle dallo degli dei del dell della delle dello di dove e ed era erano essere fu furono gli ha hanno i
        il in io l la le lei lo loro lui ma mi mia mio ne negli nei nel nell nella nelle nello noi non o per
        perché perchè più quale quali quando quanto quanta quanti quante quella quelle quelli quello questa
        queste questi questo se si sia sono stata stati stato su sua sue sugli sui sul sulla sulle suo suoi ti
        tra tu un una uno vi voi è devo deve devono posso possiamo possono può puoi""",
    "pt": """a ao aos aquela aquele as até com como da das de dela dele do dos e ela elas ele eles em entre
        era eram essa esse esta este está estão eu foi foram for há isso isto já lhe mais mas me mesmo meu minha
        muito na nas não nem no nos nós o os ou para pela pelas pelo pelos por porque qual quais quando quanto
        quantos quantas que quem se sem ser seu seus sua suas são só também te tem tinha têm um uma você vocês à
        às é onde deve devo devem pode posso podem""",
    "nl": """aan al als bij dan dat de der deze die dit door een en er geen had hadden heb hebben heeft het
        hij hoe hoeveel hun ik in is je kan kunnen maar me meer met mij mijn moet moeten na naar niet nog of om
        omdat onder ons ook op over te tegen toen tot u uit uw van veel voor waar waarom wanneer waren was wat
        we welk welke werd werden wie wij wordt worden zal ze zich zij zijn zo zou ben bent doen doet dient
        graag hoelang hoelaat jou jouw jullie kun kunt mag mogen wil wilt waarin waarmee""",
    "ru": """а бы был была были было быть в вам вас ваш во вот все всё вы где да для до его ее её если есть
        еще ещё же за и из или им их к как какая какие какими каких какого какое какой каком какому когда кого
        кому кто ли между меня мне мой моя мы на над не него нее неё ней нет ни них но о об он она они оно от по
        под после почему при с сколько со так также такой там то того тоже только том тот ты у уже чего чей чем
        через что чтобы эта эти это этого этой этом этот я могу может можно можете надо нужно""",
    "ar": """أو أي أين إذا إلى إن أن أنا أنت التي الذي الذين بعد بين تم ثم حتى حول خلال عن عند على علي غير
        فقط في قبل قد كان كانت كل كم كما كيف لا لقد لم لن له لها لماذا ليس ما ماذا متى مع من منذ هذا هذه هل هم
        هو هي هناك و يتم يكون تكون ذلك تلك به بها فيه فيها عليه عليها لدى يمكن يمكنني يجب""",
    "hi": """अपना अपनी अपने इस इसका इसकी इसके इसे उन उनका उनकी उनके उस उसका उसकी उसके उसे एक ऐसा ऐसे और कब
        कर करना करने करता करते करती कहा कहाँ कहां का कितना कितनी कितने किस किसका किसकी किसके किसने किसी किसे की
        कुछ के को कोई कौन कौनसा क्या क्यों कैसे गई गए गया गयी जब जहाँ जहां जा जाता जाती जाते जिस जिसका जिसकी
        जिसके जिसने जो तक तथा तब तो था थी थे द्वारा न नहीं ने पर बहुत भी में मैं यदि यह या यहाँ ये रहा रही रहे
        लिए व वह वाला वाली वाले वे सकता सकती सकते से हम हुआ हुई हुए है हैं हो होता होती होते होने""",
    "tr": """acaba ama ancak bana ben beni benim bir biz bu bunlar bunu bunun çok çünkü da daha de değil
        diye en gibi göre hangi hangisi hem her için ile ise kaç kadar ki kim kime kimin mi mu mü mı nasıl ne
        neden nedir nerede nereye niçin o olan olarak oldu olduğu olup on ona onlar onu onun sen siz sonra şey
        şu tüm var ve veya ya yani zaman miyim mıyım misiniz mısınız lazım olur""",
    "el": """αλλά αν από ας αυτά αυτές αυτή αυτό αυτοί αυτός αυτού για δεν εγώ εκ ένα ένας εμείς επί εσείς
        εσύ έχει έχουν η ή ήταν θα και κάθε κατά κι μας με μετά μη μην μια μία μου να ο οι όμως όπου όπως ότι
        όταν που πού πως πώς ποια ποιά ποιες ποιο ποιό ποιοι ποιος ποιός πόσο πόσα πόσες πόσοι πότε προς σας σε
        σου στα στη στην στις στο στον στους τα τη την της τι τις το τον του τους των ως είναι είχε γιατί
        μπορώ μπορεί μπορούν πρέπει""",
    "vi": """ai bao bị bởi các cái cho có của cùng cũng đã đang đây đến để đó được gì hay hoặc khi không là
        làm lại mà mình mỗi một này nào nên nếu những như nhiều nhất ở ra rất rằng sao sẽ tại theo thế thì trên
        trong từ và vào vẫn về vì với đâu""",
    "ro": """a acest aceasta aceste acești această al ale am ar are au această ca care câți câte cât ce cel
        cea cei cele cine cum cu când da dar de decât deci din despre dintre după el ea ei ele era este eu ești
        fi fiind fost în între la le lor lui mai mea mei mele meu nu o or ori pe pentru prin sa sale sau se său
        si și sunt suntem să te toate toți tu un una unde unei unor unui va vor îi îl ți""",
    "sv": """att av de dem den det där då efter ej eller en er ett från för ha hade han har hon hur här i
        icke in inte jag kan man med men mig min mot mycket ni nu när någon några och om oss på sedan sig sin
        ska som till under upp ut vad var varför vem vi vid vilka vilken vilket är över""",
    "da": """af alle at blev da de dem den der deres det dig din dog du efter eller en er et for fra ham han
        har have havde hende her hun hvad hvem hvilken hvor hvordan hvorfor hvornår i ikke ind jeg kan man med
        meget men mig min nogle nu når og også om op os over på sig sin skal som til ud under var ved vi vil
        være""",
    "fi": """ei eikä että hän he ja jo joka jos jotka kanssa koska kuin kuinka kun kuka me mikä miksi
        milloin minä missä mitä mutta myös ne niin nyt oli olivat olla on ovat se sen siitä sitä tai tämä te
        vaan vai""",
    "pl": """a ale bo by być był była było były co czy dla do gdy gdzie i ich ile im ja jak jaki jaka jakie
        jako je jego jej jest już kiedy kto która które który lub ma może na nad nie niż o od on ona oni po pod
        przez przy są się tak tego tej ten to tu tylko w we z za ze że dlaczego""",
}

STOP_WORDS: Mapping[str, frozenset[str]] = {language: frozenset(words.split()) for language, words in _LISTS.items()}
"""Lower-case words by language; a language that writes no blanks between words has none."""

_PHRASES = {
    "zh": """什么 什麼 多少 哪里 哪裡 哪些 哪个 哪個 哪 谁 誰 怎么 怎麼 怎样 怎樣 如何 为什么 為什麼 为何 是否
        有没有 可以 请问 請問 吗 嗎 呢 的 了 是 在 被 和 与 與 或 这 那 该 該 其""",
    "ja": """ですか ますか でしたか ましたか でしょうか ください たいのですが のですか できますか もらえますか
        ありますか どのくらい どれくらい どのように どうやって どうすれば どうします どれだけ どこ いつ だれ 誰
        何 なに いくら いくつ どんな どの どう なぜ です ます という について のとき""",
    "ko": """무엇 어디 언제 누구 얼마나 얼마 몇 어떤 어떻게 어느 왜 인가요 하나요 되나요 있나요 나요 습니까 입니까
        합니까 됩니까 예요 에요 어요 아요 해요 주세요 싶어요 에서 에게 으로 까지 부터""",
    "th": """เท่าไหร่ เท่าไร อย่างไรบ้าง อย่างไร ยังไง ที่ไหน ตรงไหน ไหน อะไรบ้าง อะไร ใคร เมื่อไหร่ เมื่อไร ทำไม
        กี่ ไหม หรือไม่ หรือเปล่า แค่ไหน นานเท่าใด คือ ของ การ ความ และ หรือ เป็น ต้อง จะ ได้ ใน ให้ ที่ ซึ่ง ว่า มี""",
}

ASKING_PHRASES: Mapping[str, tuple[str, ...]] = {
    language: tuple(sorted(phrases.split(), key=len, reverse=True)) for language, phrases in _PHRASES.items()
}
"""The same for languages whose words are not set apart: parts of a question that say how it asks, longest first."""


def is_stop_word(word: str, language: str) -> bool:
    """Whether a lower-case word says nothing of what a text of that language is about."""
    return word in STOP_WORDS.get(language, ())
