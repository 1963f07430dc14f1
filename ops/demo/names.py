"""Invented names for the members of a demo club; some differ only by an accent or a letter, as in real clubs."""

from random import Random

GIVEN = (
    "Ada", "Agnes", "Albert", "Alma", "André", "Anna", "Arthur", "Astrid", "Beatrix", "Benno", "Bruno", "Cécile",
    "Clara", "Conrad", "Cornelia", "Dora", "Edgar", "Edith", "Elsa", "Emil", "Erna", "Étienne", "Felix", "Flora",
    "Franz", "Frieda", "Georg", "Gerda", "Greta", "Gustav", "Hanna", "Hedwig", "Hélène", "Henrik", "Hilda", "Hugo",
    "Ida", "Ilse", "Ivo", "Jakob", "Johanna", "Josef", "Jørgen", "Karl", "Käthe", "Klara", "Lea", "Leopold", "Lotte",
    "Ludwig", "Magda", "Marek", "Martha", "Max", "Mina", "Nils", "Nora", "Olga", "Oskar", "Otto", "Paula", "Petra",
    "Ragnar", "René", "Rosa", "Ruth", "Selma", "Sofia", "Søren", "Stefan", "Thea", "Theo", "Ursula", "Viktor",
    "Vera", "Walter", "Wilma", "Xaver", "Yvonne", "Zdenka",
)  # fmt: skip
FAMILY = (
    "Adler", "Ahlberg", "Anders", "Bach", "Bauer", "Becker", "Bergh", "Berg", "Brandt", "Brück", "Christ", "Dahl",
    "Dietz", "Dupont", "Ebner", "Eriksen", "Falk", "Fiala", "Fischer", "Fontane", "Gruber", "Haas", "Hahn", "Hansen",
    "Hartmann", "Hofer", "Holm", "Horn", "Huber", "Jansen", "Kaiser", "Keller", "Kern", "Klein", "Koch", "Krüger",
    "Lang", "Laurent", "Lind", "Lorenz", "Marek", "Martin", "Mayer", "Meier", "Meyer", "Moreau", "Müller",
    "Novák", "Olsen", "Peters", "Pfeiffer", "Pohl", "Quist", "Rask", "Reiter", "Richter", "Roth", "Sander", "Schmid",
    "Schulz", "Seidl", "Sommer", "Stein", "Svoboda", "Thomsen", "Ullmann", "Vogel", "Wagner", "Weber", "Winter",
    "Wolf", "Zeller", "Zimmer",
)  # fmt: skip

MOST = len(GIVEN) * len(FAMILY)


def people(rng: Random, number: int) -> list[str]:
    """So many different names."""
    return [f"{GIVEN[place // len(FAMILY)]} {FAMILY[place % len(FAMILY)]}" for place in rng.sample(range(MOST), number)]
