"""What the faces of a match say in words, in the languages that labels come in.

Only sentences of the program stand here; what things are called comes from the rulesets. Sentences
are built so that names need not be inflected.
"""

from __future__ import annotations

from tilewright.render.locale.comparison import Words

_TALK: dict[str, tuple[str, str, str]] = {
    # what happens
    "turn of": ("turn {}, {}", "хід {}, {}", "tura {}, {}"),
    "turn": ("turn {}", "хід {}", "tura {}"),
    "the end": ("the end", "кінець гри", "koniec gry"),
    "drawn": ("drawn: {}", "взято: {}", "dobrano: {}"),
    "comes home": ("{} comes home", "повертається в запас: {}", "wraca do zasobów: {}"),
    "goes to": ("{} goes to {}", "{} — до гравця: {}", "{} — do gracza: {}"),
    "gets": ("{} gets {}", "{} бере: {}", "{} bierze: {}"),
    "spends": ("{} spends {}", "{} витрачає: {}", "{} wydaje: {}"),
    "stands beside": ("{} stands beside: {}", "{} — біля стосу: {}", "{} — przy stosie: {}"),
    "beside": ("beside: {}", "біля стосу: {}", "przy stosie: {}"),
    "gains": ("{} gains {}", "{}: очки {}", "{}: punkty {}"),
    "gains for": ("{} gains {} for {}", "{}: очки {}, {}", "{}: punkty {}, {}"),
    "wins": ("{} wins", "переможець: {}", "zwycięzca: {}"),
    "share it": ("{} share it", "переможці: {}", "zwycięzcy: {}"),
    "and": (" and ", ", ", ", "),
    "seed": ("seed {}", "зерно {}", "ziarno {}"),
    # at the table
    "pass": ("pass", "нічого не робити", "nic nie robić"),
    "turned over": ("turned over", "зворотним боком", "odwrócona"),
    "letters": (
        "a letter is the side to which the tile's north points",
        "літера — сторона, куди дивиться північ плитки",
        "litera to strona, w którą zwrócona jest północ płytki",
    ),
    "in supply": ("{} figures in supply", "фігур у запасі: {}", "figur w zasobach: {}"),
    "all home": (
        "every figure is in its supply",
        "усі фігури в запасі",
        "wszystkie figury są w zasobach",
    ),
    "home": ("home", "у запасі", "w zasobach"),
    "front of": ("in front of: {}", "перед гравцем: {}", "przed graczem: {}"),
    "no points": (
        "nobody has gained a point yet",
        "ще ніхто не набрав очок",
        "nikt jeszcze nie zdobył punktów",
    ),
    "not over": ("the match is not over", "партію не завершено", "partia nie jest skończona"),
    "enter": (
        "{} {}: press enter to take it",
        "{} {}: Enter, щоб вибрати",
        "{} {}: Enter, aby wybrać",
    ),
    # why something may not be
    "to choose": (
        "it is for {} to choose, not for {}",
        "зараз вибирає {}, а не {}",
        "teraz wybiera {}, a nie {}",
    ),
    "none left": ("{} has no {} left", "{}: у запасі немає фігури {}", "{}: brak w zasobach: {}"),
    "tile there": (
        "there is a tile at {} already",
        "у клітинці {} вже є плитка",
        "na polu {} leży już płytka",
    ),
    "touches none": (
        "{} touches no tile",
        "клітинка {} не прилягає до жодної плитки",
        "pole {} nie styka się z żadną płytką",
    ),
    "edge shows": (
        "the {} edge{} shows {}, its neighbour `{}` at {} shows {}",
        "край плитки на {}{}: {}, а сусідній (`{}`, {}): {}",
        "krawędź płytki: {}{}: {}, a sąsiednia (`{}`, {}): {}",
    ),
    "edge of": (" of {}", " ({})", " ({})"),
    "must choose": (
        "one of the options must be chosen",
        "треба вибрати один із варіантів",
        "trzeba wybrać jedną z możliwości",
    ),
    "game over": ("the game is over", "гру завершено", "gra jest skończona"),
    "is offered": (
        "`{}` is offered: nothing speaks against it",
        "`{}` можна вибрати: ніщо не заважає",
        "`{}` można wybrać: nic nie stoi na przeszkodzie",
    ),
    # values
    "nothing": ("nothing", "нічого", "nic"),
    "true": ("yes", "так", "tak"),
    "false": ("no", "ні", "nie"),
    "N": ("north", "північ", "północ"),
    "E": ("east", "схід", "wschód"),
    "S": ("south", "південь", "południe"),
    "W": ("west", "захід", "zachód"),
    "lying": ("small letter: lying", "мала літера: лежить", "mała litera: leży"),
    "goes on": (
        "goes on east to column {}",
        "далі на схід до стовпця {}",
        "dalej na wschód do kolumny {}",
    ),
    # rulesets and tiles
    "setup": ("setup", "приготування", "przygotowanie"),
    "phase turn": ("turn", "хід", "tura"),
    "final": ("final", "підсумковий підрахунок", "końcowe punktowanie"),
    "whenever": ("whenever", "щоразу, коли", "zawsze gdy"),
    "beside rules": ("before and after rules", "до і після правил", "przed zasadami i po nich"),
    "may": ("may {}", "може {}", "może {}"),
    "for players": (
        "for {} to {} players",
        "для {}–{} гравців",
        "dla {}–{} graczy",
    ),
    "for so many players": ("for {} players", "для {} гравців", "dla {} graczy"),
    "in the game": ("{} in the game", "у грі: {}", "w grze: {}"),
    "each player": ("{} for each player", "{} кожному гравцеві", "{} dla każdego gracza"),
    "nobody's": ("{} in all, nobody's", "{} на всіх, нічиї", "{} dla wszystkich, niczyje"),
    "called": ("called", "назва", "nazwa"),
}


def talk(language: str = "en") -> Words:
    """The words of a match's faces in one language; unknown languages speak English."""
    return Words(language, _TALK)
