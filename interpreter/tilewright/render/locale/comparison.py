"""The words of a comparison's page, in the languages that labels come in.

Only the page speaks here; names of things come from the rulesets, reasons are given by code.
"""

from __future__ import annotations

from collections.abc import Mapping

LANGUAGES = ("en", "uk", "pl")

_WORDS: dict[str, tuple[str, str, str]] = {
    # headings
    "summary": ("In short", "Коротко", "W skrócie"),
    "turn": ("The turn, step by step", "Хід, крок за кроком", "Tura krok po kroku"),
    "topics": ("Topic by topic", "Тема за темою", "Temat po temacie"),
    "components": ("In the box", "У коробці", "W pudełku"),
    "tiles": ("Tiles", "Плитки", "Płytki"),
    "values": ("Values and options", "Значення та варіанти", "Wartości i opcje"),
    "rules": ("Rules", "Правила", "Reguły"),
    "sources": ("Sources", "Джерела", "Źródła"),
    # states
    "same": ("same", "те саме", "to samo"),
    "reworded": ("other words", "інші слова", "inne słowa"),
    "differs": ("differs", "відмінне", "inaczej"),
    "moved": ("moved", "переміщено", "przesunięte"),
    "only": ("only here", "лише тут", "tylko tutaj"),
    "only in": ("only in {}", "лише в {}", "tylko w {}"),
    "not in": ("in {}, not in {}", "в {}, не в {}", "w {}, nie w {}"),
    # severities
    "breaking": ("breaking", "ламає", "łamie"),
    "behaviour": ("behaviour", "поведінка", "zachowanie"),
    "data": ("data", "дані", "dane"),
    "text": ("text", "текст", "tekst"),
    # heads
    "edition": ("edition {}", "видання {}", "edycja {}"),
    "stands on": ("on {}", "на {}", "na {}"),
    "beneath same": (
        "Their base games say the same.",
        "Їхні основні ігри кажуть те саме.",
        "Ich gry podstawowe mówią to samo.",
    ),
    "beneath differs": (
        "Their base games differ too, in {}.",
        "Їхні основні ігри теж відмінні: {}.",
        "Ich gry podstawowe też się różnią: {}.",
    ),
    "nothing": ("Nothing differs.", "Відмінностей немає.", "Nie ma różnic."),
    "no rows": (
        "There is nothing of the kind asked for.",
        "Нічого такого немає.",
        "Niczego takiego nie ma.",
    ),
    # the summary
    "topics count": (
        "{} topics: {} carried out otherwise, {} only on one side, {} in other words, {} the same",
        "Тем: {}; по-різному — {}, лише з одного боку — {}, іншими словами — {}, однаково — {}",
        "Tematów: {}; inaczej — {}, tylko z jednej strony — {}, innymi słowami — {}, tak samo — {}",
    ),
    "rules count": (
        "{} rules: {} differ, {} only on one side, {} the same",
        "Правил: {}; відмінних — {}, лише з одного боку — {}, однакових — {}",
        "Reguł: {}; różnych — {}, tylko z jednej strony — {}, takich samych — {}",
    ),
    "steps count": (
        "{} steps: {} differ, {} only on one side, {} moved, {} the same",
        "Кроків: {}; відмінних — {}, лише з одного боку — {}, переміщених — {}, однакових — {}",
        "Kroków: {}; różnych — {}, tylko z jednej strony — {}, przesuniętych — {}, bez zmian — {}",
    ),
    "tiles count": (
        "{} tiles: {} carry other marks, {} only on one side, {} the same",
        "Плиток: {}; з іншими позначками — {}, лише з одного боку — {}, однакових — {}",
        "Płytek: {}; z innymi znakami — {}, tylko z jednej strony — {}, takich samych — {}",
    ),
    # how many
    "count topics": ("topics", "теми", "tematy"),
    "count steps": ("steps", "кроки", "kroki"),
    "count values": ("values, options", "значення, варіанти", "wartości, opcje"),
    "count options": ("options", "варіанти", "opcje"),
    "count rules": ("rules", "правила", "reguły"),
    "count tiles": ("tiles", "плитки", "płytki"),
    "count first": ("first only", "лише перше", "tylko pierwsza"),
    "count last": ("second only", "лише друге", "tylko druga"),
    "count some": ("on some only", "лише в деяких", "tylko w niektórych"),
    "count idle": ("no effect", "без наслідків", "bez skutku"),
    "but": ("as in {}, but", "як у {}, але", "jak w {}, ale"),
    "lapse gone": ("no longer", "більше ні", "już nie"),
    "lapse part": ("only in part", "лише почасти", "tylko częściowo"),
    "lapse changed": ("changed", "змінено", "zmienione"),
    "instead": ("{}: {} instead of {}", "{}: {} замість {}", "{}: {} zamiast {}"),
    "as in": ("as in {}", "як у {}", "jak w {}"),
    "and also": ("as in {}, and also", "як у {}, а також", "jak w {}, a także"),
    "and more": ("and {} more", "і ще {}", "i jeszcze {}"),
    # the history of a topic
    "house": ("House rules and variants", "Домашні правила й варіанти", "Zasady domowe i warianty"),
    "silent": ("says nothing of it", "нічого про це не каже", "nic o tym nie mówi"),
    "year": ("year", "рік", "rok"),
    "ruleset": ("ruleset", "набір правил", "zestaw reguł"),
    "says": ("what it says", "що каже", "co mówi"),
    # a gallery
    "gallery": ("Editions side by side", "Видання пліч-о-пліч", "Wydania obok siebie"),
    "gallery says": (
        "{} comparisons, made by `tilewright gallery`: all editions of each expansion, and each "
        "house rule beside what it stands on. A number says how many topics or rules differ.",
        "Порівнянь: {}; їх склав `tilewright gallery`: усі видання кожного доповнення і кожне "
        "домашнє правило поряд із тим, на чому воно стоїть. Число каже, скільки тем чи правил "
        "відмінні.",
        "Porównań: {}; przygotował je `tilewright gallery`: wszystkie wydania każdego dodatku "
        "i każda zasada domowa obok tego, na czym się opiera. Liczba mówi, ile tematów lub reguł "
        "się różni.",
    ),
    "editions": ("Editions", "Видання", "Wydania"),
    # boards on which it shows
    "boards": ("On the board", "На столі", "Na stole"),
    "board": ("board {}", "дошка {}", "plansza {}"),
    # the turn
    "setup": ("before the game", "перед грою", "przed grą"),
    "phase turn": ("every turn", "кожен хід", "każda tura"),
    "final": ("at the end", "наприкінці", "na końcu"),
    "active": ("player in turn", "гравець, що ходить", "gracz w turze"),
    "each": ("each player in turn", "кожен гравець по черзі", "każdy gracz po kolei"),
    "other": ("a player", "гравець", "gracz"),
    "may": ("may", "може", "może"),
    # topics
    "awaits": ("waits for {}", "очікує на {}", "czeka na {}"),
    "option": ("a rule of it only under {}", "правило лише за {}", "reguła tylko przy {}"),
    "follows": ("follows from {}", "випливає з {}", "wynika z {}"),
    "compares": ("compares {}", "порівнює {}", "porównuje {}"),
    "no effect": (
        "without effect in the game",
        "без наслідків у грі",
        "bez skutku w grze",
    ),
    # components
    "what tiles": ("tiles", "плитки", "płytki"),
    "what double": ("of two cells", "на дві клітинки", "dwupolowe"),
    "what kind": ("feature", "об'єкт", "obszar"),
    "what role": ("role", "роль", "rola"),
    "what stack": ("stack", "стос", "stos"),
    "what figure": ("figure", "фігура", "figura"),
    "what token": ("token", "жетон", "żeton"),
    "what symbol": ("symbol", "символ", "symbol"),
    "what attribute": ("mark", "позначка", "znak"),
    "what segment": ("part", "частина", "część"),
    # what is said of a component
    "f owned": ("owned", "є власник", "ma właściciela"),
    "f neutral": ("neutral", "нейтральна", "neutralna"),
    "f carries": ("carries", "має", "ma"),
    "f facing": ("facing", "напрямок", "kierunek"),
    "f companion": ("companion", "супутника", "towarzysza"),
    "f on": ("on", "на:", "na:"),
    "f standing": ("standing", "стоїть", "stoi"),
    "f lying": ("lying", "лежить", "leży"),
    "f holds": ("holds", "містить:", "zawiera:"),
    "f tiles": ("tiles", "плитки", "płytki"),
    "f hidden": ("hidden", "закритий", "zakryty"),
    "f completes": ("completes", "завершення:", "ukończenie:"),
    "f closed": ("closed", "замкнено", "zamknięcie"),
    "f flanked": ("flanked", "закрито з боків", "zamknięcie z boków"),
    "f surrounded": ("surrounded", "оточено", "otoczenie"),
    "f never": ("never", "ніколи", "nigdy"),
    "f side": ("side", "сторона", "bok"),
    "f centre": ("centre", "середина сторони", "środek boku"),
    "f halves": ("halves", "половини сторін", "połowy boków"),
    "f inside": ("inside", "усередині", "wewnątrz"),
    "f by": ("by", "закон:", "prawo:"),
    "f sum": ("sum", "сума", "suma"),
    "f any": ("any", "будь-що", "cokolwiek"),
    "f max": ("max", "найбільше", "największe"),
    # tiles
    "plain": ("nothing", "нічого", "nic"),
    "tiles alike": (
        "printed alike",
        "надруковано однаково",
        "wydrukowane tak samo",
    ),
    "elsewhere": (
        "the same marks, elsewhere on the tile",
        "ті самі позначки в іншому місці",
        "te same znaki w innym miejscu",
    ),
    # columns of markdown
    "topic": ("topic", "тема", "temat"),
    "what": ("what", "що", "co"),
    "value": ("value", "значення", "wartość"),
    "why": ("why", "чому", "dlaczego"),
    # reasons
    "r gone": ("missing later", "далі немає", "dalej brak"),
    "r new": ("missing before", "раніше немає", "wcześniej brak"),
    "r type": ("other type", "інший тип", "inny typ"),
    "r rules": ("rules {}", "правила {}", "reguły {}"),
    "r values": ("values {}", "значення {}", "wartości {}"),
    "r options": ("options {}", "варіанти {}", "opcje {}"),
    "r steps": ("steps {}", "кроки {}", "kroki {}"),
    "r roles": ("roles {}", "ролі {}", "role {}"),
    "r patches": ("changes {}", "зміни {}", "zmiany {}"),
    "r numbers": ("numbers {}", "числа {}", "liczby {}"),
    "r words": ("words only", "лише слова", "tylko słowa"),
    "r text": ("other text", "інший текст", "inny tekst"),
    "r hook": ("hangs elsewhere", "в іншому місці", "w innym miejscu"),
    "r order": ("other order", "інший порядок", "inna kolejność"),
    "r decides": ("other decisions", "вирішують інакше", "kto inny decyduje"),
    "r renamed": ("another name", "інша назва", "inna nazwa"),
    "r value": ("other value", "інше значення", "inna wartość"),
    "r choices": ("other choices", "інші варіанти", "inne możliwości"),
    "r count": ("other count", "інша кількість", "inna liczba"),
    "r facts": ("other kind", "інша природа", "inny rodzaj"),
    "r marks": ("other marks", "інші позначки", "inne znaki"),
    "r drawn": ("drawn otherwise", "намальовано інакше", "narysowane inaczej"),
    "r tiles": ("no such tile", "такої немає", "brak takiej"),
    "r documented": ("the book says so", "так каже книга", "tak mówi książka"),
}

#: how much weight a statement has that is not simply printed in a rulebook
AUTHORITIES: dict[str, tuple[str, str, str]] = {
    "official-clarification": ("clarification", "роз'яснення", "wyjaśnienie"),
    "community-interpretation": (
        "community reading",
        "тлумачення спільноти",
        "interpretacja społeczności",
    ),
    "common-knowledge": ("common knowledge", "загальновідоме", "powszechnie wiadomo"),
    "house-rule": ("house rule", "домашнє правило", "zasada domowa"),
}


class Words:
    """The words of one language; unknown languages speak English."""

    def __init__(
        self, language: str = "en", table: Mapping[str, tuple[str, str, str]] = _WORDS
    ) -> None:
        self.language = language if language in LANGUAGES else "en"
        self._place = LANGUAGES.index(self.language)
        self._table = table

    def __call__(self, key: str, *names: object) -> str:
        text = self._table[key][self._place]
        return text.format(*names) if names else text

    def knows(self, key: str) -> bool:
        return key in self._table

    def sentence(self, key: str, *names: object) -> str:
        """The same, beginning with a capital letter."""
        text = self(key, *names)
        return text[:1].upper() + text[1:]
