"""Events: what happened, one shape each, as the log keeps it for ever. Vocabulary only.

Every accepted entry gives one event of its own kind, listed in `ENTRY_EVENTS`, and then the events
that follow from it: the auction won, the settlement, a contribution, a finding. An event carries
its results; folding it never judges again. Amounts are whole white units, a pool is `[full, open]`,
and `balances` and `pool` are those right after the event. Fields added later need a default;
shapes of an earlier time are lifted by `domain.upcast`.
"""

from typing import Any, Literal

from domain import entries
from domain.entries import Evidence, Pack
from domain.ladder import Contract, Preference
from domain.pool import Pool
from domain.rulesets import Options, RuleSet
from domain.seats import Four, Seat, Some
from domain.value import Value


class Event(Value, frozen=True, kw_only=True, omit_defaults=True, tag_field="type"):
    """The base of all events; on the wire each names its `type`."""


class SessionOpened(Event, frozen=True, kw_only=True, tag="session_opened"):
    """The session is open. `rules` are the changes of a house rule set as they were given; `rule_set` is the whole."""

    ruleset: str
    seats: Four[str]
    date: str
    club: str | None = None
    table: str | None = None
    options: Options | None = None
    rules: dict[str, Any] | None = None
    format: Literal[1] | None = None
    rule_set: RuleSet
    digest: str


class PacksShuffled(Event, frozen=True, kw_only=True, tag="packs_shuffled"):
    """The packs, or one of them, were shuffled."""

    pack: Pack | None = None


class FirstDealerDrawn(Event, frozen=True, kw_only=True, tag="first_dealer_drawn"):
    """The first dealer is known, by lot or by the cards cut."""

    seat: Seat
    cards: Some[str] | None = None


class PackCut(Event, frozen=True, kw_only=True, tag="pack_cut"):
    """A pack was cut."""

    by: Seat
    pack: Pack | None = None
    at: int | None = None


class PreferenceExposed(Event, frozen=True, kw_only=True, tag="preference_exposed"):
    """The preference card was turned."""

    card: str


class CardsDealt(Event, frozen=True, kw_only=True, tag="cards_dealt"):
    """The cards were dealt; `hands` as far as they are known."""

    hands: Some[tuple[str, ...]] | None = None


class DealMisdealt(Event, frozen=True, kw_only=True, tag="deal_misdealt"):
    """The deal was a misdeal and is dealt again, by `next_dealer`."""

    reason: str
    next_dealer: Seat


class CallMade(Event, frozen=True, kw_only=True, tag="call_made"):
    """A seat called or passed."""

    seat: Seat
    call: str


class ContractReported(Event, frozen=True, kw_only=True, tag="contract_reported"):
    """The auction was not recorded by turns; this is its result."""

    contract: Contract | Literal["partout"]
    caller: Seat | None = None
    preference: Preference | None = None
    trumps: str | None = None


class AuctionWon(Event, frozen=True, kw_only=True, tag="auction_won"):
    """A caller plays a contract; `trumps` only where they were reported with it."""

    caller: Seat
    contract: Contract
    preference: Preference | None = None
    trumps: str | None = None


class PartoutBegun(Event, frozen=True, kw_only=True, tag="partout_begun"):
    """All four passed and play a misère partout."""


class DealThrownIn(Event, frozen=True, kw_only=True, tag="deal_thrown_in"):
    """All four passed and the deal is thrown in; `fine` is what each adds to the bank."""

    fine: int = 0
    next_dealer: Seat
    balances: Four[int]
    pool: Pool


class TrumpsNamed(Event, frozen=True, kw_only=True, tag="trumps_named"):
    """The caller named trumps."""

    suit: str


class CardDiscarded(Event, frozen=True, kw_only=True, tag="card_discarded"):
    """A seat laid a card aside, known only if it was seen."""

    seat: Seat
    card: str | None = None


class HandExposed(Event, frozen=True, kw_only=True, tag="hand_exposed"):
    """The caller laid his hand open."""

    seat: Seat
    cards: tuple[str, ...]


class ConcessionMade(Event, frozen=True, kw_only=True, tag="concession_made"):
    """A defender said "I pay"."""

    seat: Seat


class CardPlayed(Event, frozen=True, kw_only=True, tag="card_played"):
    """A card was played. The fourth of a trick names its `winner`; `breaks` labels what an irregular card broke."""

    seat: Seat
    card: str
    irregular: bool = False
    evidence: Evidence = "seen"
    breaks: tuple[Literal["out_of_turn", "already_played", "not_held", "revoke"], ...] = ()
    winner: Seat | None = None
    kills_concession: bool = False


class TricksReported(Event, frozen=True, kw_only=True, tag="tricks_reported"):
    """The totals of the deal, entered instead of its plays or of the rest of them."""

    tricks: Four[int]


class HandsShown(Event, frozen=True, kw_only=True, tag="hands_shown"):
    """Remaining cards were laid open after an early ending."""

    hands: Some[tuple[str, ...]]


class DealSettled(Event, frozen=True, kw_only=True, tag="deal_settled"):
    """The deal is over and paid. `price` goes to or from each opponent, `pool_paid` into the pool (taken if negative).

    `deltas` holds both, seat by seat. A misère partout has no contract and no price.
    """

    outcome: Literal["made", "failed", "misere_partout"]
    contract: Contract | None = None
    caller: Seat | None = None
    preference: Preference | None = None
    trumps: str | None = None
    tricks: Four[int] | None = None
    shortfall: int = 0
    conceded: bool = False
    price: int = 0
    pool_paid: int = 0
    rule: int
    deltas: Four[int]
    next_dealer: Seat
    balances: Four[int]
    pool: Pool
    engine: int


class SettlementReversed(Event, frozen=True, kw_only=True, tag="settlement_reversed"):
    """A settlement and the contribution that followed from it are taken back; `deltas` is what each seat gets back."""

    deltas: Four[int]
    balances: Four[int]
    pool: Pool


class RevokeRuled(Event, frozen=True, kw_only=True, tag="revoke_ruled"):
    """A revoke in a trick was ruled; the settlement that follows from it comes after."""

    seat: Seat
    trick: int


class DealCancelled(Event, frozen=True, kw_only=True, tag="deal_cancelled"):
    """All four agreed that the deal is void; the same dealer deals again."""

    agreed: tuple[Seat, ...]
    reason: str


class ContributionMade(Event, frozen=True, kw_only=True, tag="contribution_made"):
    """Everyone paid `each` into the pool."""

    each: int
    why: Literal["opening", "pool_empty", "deal"]
    balances: Four[int]
    pool: Pool


class FinePaid(Event, frozen=True, kw_only=True, tag="fine_paid"):
    """A seat paid a fine into the pool."""

    seat: Seat
    amount: int
    why: Literal["misdeal", "revoke"]
    balances: Four[int]
    pool: Pool


class FindingMade(Event, frozen=True, kw_only=True, tag="finding_made"):
    """What the record proves against itself; `entries` are the numbers of the entries that prove it."""

    kind: str
    entries: tuple[int, ...]
    rule: int | None = None
    seat: Seat | None = None
    cards: tuple[str, ...] = ()
    text: str


class EntryUndone(Event, frozen=True, kw_only=True, tag="entry_undone"):
    """An entry was taken back, with all that followed from it."""

    target: int


class EntryRedone(Event, frozen=True, kw_only=True, tag="entry_redone"):
    """An undone entry was restored."""

    target: int


class EntriesWithdrawn(Event, frozen=True, kw_only=True, tag="entries_withdrawn", rename={"start": "from"}):
    """Entries of the deal were taken back; `taken` lists their numbers."""

    start: int
    taken: tuple[int, ...]


class SeatsCorrected(Event, frozen=True, kw_only=True, tag="seats_corrected"):
    """Who sits where from a deal on."""

    seats: Four[str]
    from_deal: int
    reason: str


class SessionEnded(Event, frozen=True, kw_only=True, tag="session_ended"):
    """The session ended early; the division of the pools follows."""

    reason: str


class SessionClosed(Event, frozen=True, kw_only=True, tag="session_closed"):
    """The session closed after its last deal; the division of the pools follows."""


class PoolsDivided(Event, frozen=True, kw_only=True, tag="pools_divided"):
    """All pools were divided equally; a `share` may end in .5, which is exact. `winners` share the first place."""

    early: bool = False
    share: int | float
    final: Four[int | float]
    winners: tuple[Seat, ...]


class DisputeRaised(Event, frozen=True, kw_only=True, tag="dispute_raised"):
    """Something of a deal is disputed; the dispute is known by the number of its entry."""

    line: int
    by: Seat | Literal["director"]
    about: Literal["deal", "trick", "card", "call", "settlement"] = "deal"
    target: int | None = None
    reason: str


class DisputeResolved(Event, frozen=True, kw_only=True, tag="dispute_resolved"):
    """A dispute was withdrawn or ruled."""

    dispute: int
    outcome: Literal["withdrawn", "stands", "cancelled", "corrected", "adjusted"]
    law: str | None = None
    reason: str


class FindingAcknowledged(Event, frozen=True, kw_only=True, tag="finding_acknowledged"):
    """The director has seen a finding and said why nothing more comes of it; a ruling on it may `publish` it."""

    kind: str
    entries: tuple[int, ...]
    reason: str
    publish: bool = False


class SettlementSigned(Event, frozen=True, kw_only=True, tag="settlement_signed"):
    """A seat confirmed a line of the score sheet, as it stood: `balances` and `pool` right after that deal."""

    seat: Seat
    line: int
    hash: str
    device: Literal["own", "recorder"]
    deltas: Four[int] | None = None
    balances: Four[int]
    pool: Pool


class TransferRuled(Event, frozen=True, kw_only=True, tag="transfer_ruled"):
    """A ruling moved money between seats."""

    deltas: Four[int]
    law: str
    reason: str
    dispute: int | None = None
    balances: Four[int]


class Kept(Value, frozen=True, tag_field="as", tag="kept"):
    """The next `count` entries of the line before a correction stand as they were, with the same events."""

    count: int


class Dropped(Value, frozen=True, tag_field="as", tag="dropped"):
    """The next `count` entries of the line before a correction are taken out."""

    count: int


class Stands(Value, frozen=True, tag_field="as", tag="stands", omit_defaults=True):
    """An entry of the corrected line with its events: put in by the correction, or paid anew because of it."""

    number: int
    events: "tuple[AnyEvent, ...]"
    part: int = 0
    dealer: Seat | None = None
    """Who dealt next as recorded, where the corrected line alone would say another."""


class CorrectionMade(Event, frozen=True, kw_only=True, tag="correction_made"):
    """Entries of finished deals were corrected.

    The first `first` entries in force stand; `line` turns those behind them into the corrected ones, and
    folding it gives the game as it stands now.
    """

    changes: tuple[entries.Change, ...] = ()
    undoes: int | None = None
    reason: str
    law: str | None = None
    dispute: int | None = None
    first: int
    line: tuple[Kept | Dropped | Stands, ...]
    above: int = 0
    """How many entries at the line's end are of the deal in progress, which can still be undone one by one."""


class DealCorrected(Event, frozen=True, kw_only=True, tag="deal_corrected"):
    """What a correction changed in the money of one line of the score sheet: `deltas` and `pool_paid` come on top."""

    line: int
    deltas: Four[int | float]
    pool_paid: int | float


class SessionAbandoned(Event, frozen=True, kw_only=True, tag="session_abandoned"):
    """The session is void."""

    reason: str


AnyEvent = (
    SessionOpened
    | PacksShuffled
    | FirstDealerDrawn
    | PackCut
    | PreferenceExposed
    | CardsDealt
    | DealMisdealt
    | CallMade
    | ContractReported
    | AuctionWon
    | PartoutBegun
    | DealThrownIn
    | TrumpsNamed
    | CardDiscarded
    | HandExposed
    | ConcessionMade
    | CardPlayed
    | TricksReported
    | HandsShown
    | DealSettled
    | SettlementReversed
    | RevokeRuled
    | DealCancelled
    | ContributionMade
    | FinePaid
    | FindingMade
    | EntryUndone
    | EntryRedone
    | EntriesWithdrawn
    | SeatsCorrected
    | SessionEnded
    | SessionClosed
    | PoolsDivided
    | SessionAbandoned
    | DisputeRaised
    | DisputeResolved
    | FindingAcknowledged
    | SettlementSigned
    | TransferRuled
    | CorrectionMade
    | DealCorrected
)

ENTRY_EVENTS: dict[type[entries.Entry], type[Event]] = {
    entries.Open: SessionOpened,
    entries.Shuffle: PacksShuffled,
    entries.FirstDealer: FirstDealerDrawn,
    entries.Cut: PackCut,
    entries.PreferenceCard: PreferenceExposed,
    entries.Deal: CardsDealt,
    entries.Misdeal: DealMisdealt,
    entries.Call: CallMade,
    entries.ContractEntry: ContractReported,
    entries.Trumps: TrumpsNamed,
    entries.Discard: CardDiscarded,
    entries.Expose: HandExposed,
    entries.Concede: ConcessionMade,
    entries.Play: CardPlayed,
    entries.Tricks: TricksReported,
    entries.Show: HandsShown,
    entries.Revoke: RevokeRuled,
    entries.Cancel: DealCancelled,
    entries.Undo: EntryUndone,
    entries.Redo: EntryRedone,
    entries.Withdraw: EntriesWithdrawn,
    entries.Reseat: SeatsCorrected,
    entries.End: SessionEnded,
    entries.Close: SessionClosed,
    entries.Abandon: SessionAbandoned,
    entries.Dispute: DisputeRaised,
    entries.Resolve: DisputeResolved,
    entries.Acknowledge: FindingAcknowledged,
    entries.Sign: SettlementSigned,
    entries.Transfer: TransferRuled,
    entries.Correct: CorrectionMade,
}
"""The event that each kind of entry gives first; it holds all the entry's own fields."""

ASIDES: frozenset[type[Event]] = frozenset({DisputeRaised, DisputeResolved, FindingAcknowledged, SettlementSigned})
"""Events of acts beside the game: no undo names them, and they do not stand in the way of one."""
