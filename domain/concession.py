""" "I pay": which defenders may still say it, and what ends it (rules 40 and 41)."""

from domain.game import Contracting, Naming, Playing
from domain.ladder import numeric
from domain.refusal import Refusal, refuse
from domain.seats import SEATS, Seat


def check_concession(game: Contracting, seat: Seat) -> Refusal | None:
    """Why a seat may not concede now; nothing where it may."""
    if seat in may_concede(game):
        return None
    rules = game.base.rules
    if not rules.concessions:
        return refuse("no_concessions", 40, f"{rules.id} has no concessions", seat=seat)
    if game.contract is None:
        return refuse("no_concession_in_partout", 41, "there is no concession in a misère partout", seat=seat)
    rule = 40 if game.contract.contract in rules.low_contracts else 41
    if seat == game.contract.caller:
        return refuse("caller_cannot_concede", rule, f"{seat} is the caller; only a defender can concede", seat=seat)
    if isinstance(game, Naming) and not game.contract.reported:
        return refuse("trumps_not_named", 40, f"{game.contract.caller} has not named trumps yet", seat=seat)
    if seat in game.conceded:
        return refuse("already_conceded", rule, f"{seat} has conceded already; it is final", seat=seat)
    text = "a defender has played to trick 2 without conceding; it is too late"
    return refuse("concession_dead", 40, text, seat=seat)


def may_concede(game: Contracting) -> tuple[Seat, ...]:
    """The seats that may still say "I pay": every defender who has not, unless it is closed to all (rules 40, 41)."""
    contract = game.contract
    if contract is None or not game.base.rules.concessions:
        return ()
    if isinstance(game, Playing):
        if game.concession_dead:
            return ()
    elif isinstance(game, Naming) and not contract.reported:
        return ()
    return tuple([seat for seat in SEATS if seat != contract.caller and seat not in game.conceded])


def kills_concession(game: Playing, seat: Seat) -> bool:
    """Does a card of this seat now end the concession of a 5 or 6 for this deal (rule 40)?"""
    contract = game.contract
    return (
        contract is not None
        and not game.concession_dead
        and len(game.done) == 1
        and seat != contract.caller
        and seat not in game.conceded
        and numeric(contract.contract)
        and game.base.rules.concessions
        and contract.contract in game.base.rules.low_contracts
    )
