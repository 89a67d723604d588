"""The words that only the web page of a comparison needs: its tools, its marks, its boards.

What it shares with the other forms stands in `comparison`.
"""

from __future__ import annotations

from tilewright.render.locale.comparison import AUTHORITIES, Words

_PAGE: dict[str, tuple[str, str, str]] = {
    "kicker": ("Side by side", "Пліч-о-пліч", "Obok siebie"),
    "and": ("and", "і", "i"),
    "skip": ("Skip to the comparison", "Перейти до порівняння", "Przejdź do porównania"),
    "contents": ("Contents", "Зміст", "Spis treści"),
    "sides": ("What is compared", "Що порівнюється", "Co się porównuje"),
    "highlights": ("What you notice first", "Що помітно одразу", "Co widać od razu"),
    "counts": ("How much differs", "Скільки відмінного", "Ile się różni"),
    "authors": ("For authors", "Для авторів", "Dla autorów"),
    "in side": ("In {}", "У {}", "W {}"),
    "tools": ("Find and filter", "Пошук і добір", "Szukaj i filtruj"),
    "search": ("Search", "Пошук", "Szukaj"),
    "search hint": (
        "a word of a rule, a topic, a name",
        "слово з правила, тема, назва",
        "słowo z reguły, temat, nazwa",
    ),
    "weight": ("Weight", "Вага", "Waga"),
    "state": ("State", "Стан", "Stan"),
    "section": ("Section", "Розділ", "Część"),
    "any state": ("any state", "будь-який стан", "dowolny stan"),
    "all sections": ("all sections", "усі розділи", "wszystkie części"),
    "theme": ("Appearance", "Вигляд", "Wygląd"),
    "auto": ("as the system", "як у системі", "jak w systemie"),
    "light": ("light", "світлий", "jasny"),
    "dark": ("dark", "темний", "ciemny"),
    "clear": ("Clear", "Скинути", "Wyczyść"),
    "shown": ("{} of {} rows", "рядків: {} з {}", "wierszy: {} z {}"),
    "none shown": (
        "No row is left. Clear the search or choose other weights.",
        "Жодного рядка. Скиньте пошук або змініть добір.",
        "Nie ma takich wierszy. Wyczyść wyszukiwanie lub zmień filtr.",
    ),
    "link here": ("link to this row", "посилання на цей рядок", "odnośnik do tego wiersza"),
    "step": ("step", "крок", "krok"),
    "nothing here": ("nothing of this", "нічого такого", "nic takiego"),
    "carried": ("in the rules:", "у правилах:", "w regułach:"),
    "rest": (
        "Topics without consequence on the board",
        "Теми без наслідків на столі",
        "Tematy bez skutków na stole",
    ),
    "everything alike": ("Alike on all sides", "Однакове всюди", "Wszędzie tak samo"),
    "legend": ("What the words mean", "Що означають слова", "Co znaczą słowa"),
    "breaking is": (
        "a match of one could not be carried on under the other: something is unknown there",
        "партію однієї не можна продовжити за іншою: там чогось не знають",
        "partii jednej nie da się ciągnąć według drugiej: czegoś tam nie ma",
    ),
    "behaviour is": (
        "a match could be carried on, and goes differently",
        "партію можна продовжити, але піде вона інакше",
        "partię da się ciągnąć, ale potoczy się inaczej",
    ),
    "data is": (
        "the same rules with other material or facts",
        "ті самі правила з іншим матеріалом або даними",
        "te same reguły z innym materiałem lub danymi",
    ),
    "text is": (
        "only words, names and colours",
        "лише слова, назви й кольори",
        "tylko słowa, nazwy i kolory",
    ),
    "becomes": ("becomes", "стає", "staje się"),
    "witness": ("On the board", "На столі", "Na stole"),
    "on boards": (
        "Of the rows that change the game, {} of {} are shown on a board.",
        "Рядків, що змінюють гру: {} із {} показано на дошці.",
        "Wiersze, które zmieniają grę: {} z {} pokazano na planszy.",
    ),
    "seen at": ("On the board: {}", "На столі: {}", "Na stole: {}"),
    "board": ("the board under {}", "дошка за {}", "plansza według {}"),
    "start": ("at the start", "на початку", "na początku"),
    "story": ("How it comes to this", "Як до цього дійшло", "Jak do tego doszło"),
    "foot": (
        "Made from the rules themselves by Tilewright. The page stands alone: it asks for nothing "
        "from anywhere.",
        "Зроблено з самих правил програмою Tilewright. Сторінка самодостатня й нічого не "
        "завантажує.",
        "Powstało z samych reguł dzięki Tilewright. Strona jest samodzielna i niczego nie pobiera.",
    ),
    "of": ("{} of {}", "{} із {}", "{} z {}"),
}


def page_words(language: str) -> Words:
    """The words of the page alone, in a language."""
    return Words(language, {**_PAGE, **AUTHORITIES})
