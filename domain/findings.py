"""What the record proves against itself once more is known.

With hidden hands a revoke shows only later: a seat that did not follow hearts plays a heart, or shows
one. Each finding names the entries that prove it; nothing here refuses an entry.
"""

from collections.abc import Iterable, Iterator

from domain.cards import BIT, SUIT_CARDS, SUIT_NAMES, card_set, cards_of
from domain.events import FindingMade
from domain.game import Base, Deal, Ended, Exposing, PlayAt, Playing, void_bit
from domain.ladder import HAND
from domain.refusal import Refusal, refuse
from domain.seats import OPPOSITE, RIGHT, SEATS, Seat, Some
from domain.tricks import discarded, plays_of


def check_hands(hands: Some[tuple[str, ...]], told: str, sizes: dict[Seat, int]) -> Refusal | None:
    """Refuses hands of the wrong size and a card that stands twice in one entry (rules 2 and 6)."""
    seen: dict[str, Seat] = {}
    for seat, cards in hands.items():
        for card in cards:
            if card in seen:
                where = f"twice in {seat}'s hand" if seen[card] == seat else f"in {seen[card]}'s hand and in {seat}'s"
                return refuse("card_twice", 2, f"{card} is {where}", card=card, seat=seat)
            seen[card] = seat
        if len(cards) != sizes[seat]:
            return refuse(
                "wrong_count",
                6,
                f"{seat} {told} {sizes[seat]} cards; {len(cards)} were entered",
                seat=seat,
                wanted=sizes[seat],
                given=len(cards),
            )
    return None


def cut_finding(base: Base, number: int, by: Seat, pack: str) -> FindingMade | None:
    """A pack cut by the wrong player (rules 7 and 9)."""
    right, rule = (OPPOSITE[base.dealer], 7) if pack == "still" else (RIGHT[base.dealer], 9)
    if by == right:
        return None
    text = f"{by} cut the {'still pack' if pack == 'still' else 'pack to be dealt'}; {right} should have"
    return FindingMade(kind="wrong_cutter", entries=(number,), rule=rule, seat=by, text=text)


def led_and_not_followed(plays: Iterable[Iterable[PlayAt]], seat: Seat, suit: str) -> Iterator[int]:
    """The numbers of the plays by which a seat did not follow a suit that was led."""
    for trick in plays:
        fallen = tuple(trick)
        if fallen and fallen[0].card[1] == suit:
            for play in fallen[1:]:
                if play.seat == seat and play.card[1] != suit:
                    yield play.number


def revoke_finding(game: Playing, number: int, seat: Seat, card: str) -> FindingMade | None:
    """A card now known to have been the seat's all along, of a suit that it did not follow (rule 26)."""
    suit = card[1]
    if not game.voids & void_bit(seat, suit):
        return None
    tricks = [trick.plays for trick in game.done] + [game.trick]
    broken = tuple(led_and_not_followed(tricks, seat, suit))
    return FindingMade(
        kind="revoke",
        entries=(*broken, number),
        rule=26,
        seat=seat,
        cards=(card,),
        text=f"{seat} did not follow {SUIT_NAMES[suit]} and held the {card}",
    )


def nowhere_finding(game: Playing, number: int, seat: Seat, led: str) -> FindingMade | None:
    """More cards of a suit still out than those who may hold it have cards left: someone revoked (rules 2 and 26).

    `game` is the state before the card of entry `number` by which `seat` did not follow `led`.
    """
    out = (SUIT_CARDS[led] & ~game.played & ~discarded(game)).bit_count()
    aside = sum(1 for discard in game.discards if discard.card is None)
    played = [play.seat for play in plays_of(game)]
    start = HAND - (1 if game.discards else 0)
    holding = [chair for chair in SEATS if chair != seat and not game.voids & void_bit(chair, led)]
    room = sum([start - played.count(chair) for chair in holding])
    if out <= room + aside:
        return None
    tricks = [trick.plays for trick in game.done] + [game.trick]
    broken = sorted({entry for chair in SEATS for entry in led_and_not_followed(tricks, chair, led)} | {number})
    return FindingMade(
        kind="suit_nowhere",
        entries=tuple(broken),
        rule=26,
        seat=seat,
        text=f"{out} {SUIT_NAMES[led]} are still out, and the seats that may hold any have {room + aside} cards left",
    )


def expose_findings(game: Exposing, number: int, cards: tuple[str, ...]) -> Iterator[FindingMade]:
    """A spread that differs from what was known of the hands (rules 2 and 16)."""
    caller = game.contract.caller
    yield from _hand_findings(game.deal, number, caller, card_set(cards), "laid down")
    for discard in game.discards:
        if discard.card in cards:
            yield FindingMade(
                kind="card_twice",
                entries=(discard.number, number),
                rule=2,
                seat=caller,
                cards=(discard.card,),
                text=f"{caller} laid down the {discard.card}, which {discard.seat} discarded",
            )


def show_findings(ended: Ended, number: int, hands: Some[tuple[str, ...]]) -> Iterator[FindingMade]:
    """Shown cards against what was played and what was known (rules 2, 26 and 32)."""
    game = ended.deal
    if not isinstance(game, Playing):
        return
    played = {play.card: play for play in plays_of(game)}
    aside = {discard.card: discard for discard in game.discards if discard.card is not None}
    for seat, cards in hands.items():
        for card in cards:
            earlier = played.get(card) or aside.get(card)
            if earlier is not None:
                did = "played" if card in played else "discarded"
                yield FindingMade(
                    kind="card_twice",
                    entries=(earlier.number, number),
                    rule=2,
                    seat=seat,
                    cards=(card,),
                    text=f"{seat} showed the {card}, which {earlier.seat} {did}",
                )
            elif found := revoke_finding(game, number, seat, card):
                yield found
        for other, shown in ended.shown.items():
            if other != seat and shown & card_set(cards):
                twice = cards_of(shown & card_set(cards))
                yield FindingMade(
                    kind="card_twice",
                    entries=(number,),
                    rule=2,
                    seat=seat,
                    cards=twice,
                    text=f"{seat} showed {', '.join(twice)}, which {other} had shown",
                )
        yield from _hand_findings(game.deal, number, seat, card_set(cards) & ~game.played, "showed")


def _hand_findings(deal: Deal, number: int, seat: Seat, cards: int, did: str) -> Iterator[FindingMade]:
    for owner, held in deal.hands.items():
        wrong = cards & ~held if owner == seat else cards & held
        told = deal.told[owner]
        if not wrong or told is None:
            continue
        names = cards_of(wrong)
        where = f"not in {seat}'s hand as dealt" if owner == seat else f"in {owner}'s hand as dealt"
        yield FindingMade(
            kind="hand_differs",
            entries=(told, number),
            rule=2,
            seat=seat,
            cards=names,
            text=f"{seat} {did} {', '.join(names)}, {where}",
        )


def holder_of(deal: Deal, card: str, but: Seat) -> Seat | None:
    """Another seat that is known to hold the card."""
    bit = BIT[card]
    for owner, held in deal.hands.items():
        if held & bit and owner != but:
            return owner
    return None
