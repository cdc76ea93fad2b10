"""What the engine raises: one root, and for every refusal a reason that a screen can turn into a sentence."""

from enum import StrEnum


class EngineError(Exception):
    """The root of all errors of this package."""


class NotationError(EngineError):
    """A text is not the canonical form of a card, a move or a state."""


class Refusal(StrEnum):
    """Why a move is illegal."""

    DEAL_OVER = "deal-over"
    """The deal has ended; nothing is owed any more."""
    NOT_NOW = "not-now"
    """Another kind of act is owed at this moment."""
    NOT_YOUR_TURN = "not-your-turn"
    """The act is owed, but by another seat."""
    NO_CARDS = "no-cards"
    """A lay of no cards."""
    SLOTS_OUT_OF_ORDER = "slots-out-of-order"
    """The slots of a move are not distinct and ascending."""
    NOT_IN_HAND = "not-in-hand"
    """A slot is not in the hand of the seat that moves."""
    TOO_FEW = "too-few"
    """Fewer cards than the least size of a lead; data: `least`."""
    TOO_MANY = "too-many"
    """More cards than one lay may hold now; data: `most`."""
    NUMBER_MISSING = "number-missing"
    """This table claims numbers, and the lay names none."""
    NUMBER_UNSTATED = "number-unstated"
    """This table claims no numbers, and the lay names one."""
    FALSE_NUMBER = "false-number"
    """The number claimed is not the number of cards laid."""
    WRONG_RANK = "wrong-rank"
    """Another rank is in force; data: `rank`."""
    RANK_NOT_IN_PACK = "rank-not-in-pack"
    """The pack has no card of this rank."""
    RANK_BARRED = "rank-barred"
    """All cards of the rank are openly out of play (`retired_ranks` barred)."""
    NO_ACES = "no-aces"
    """Aces may be laid but not claimed (`no_aces`)."""
    REPEATED_CLAIM = "repeated-claim"
    """The claim of the last lead, with two players left (`stall_guard`)."""
    MUST_CALL = "must-call"
    """The live packet emptied its owner's hand and must be called (`must_call_pending`)."""
    NOTHING_TO_CALL = "nothing-to-call"
    """No packet is live."""
    NO_VERYU = "no-veryu"
    """This table has no veryu."""
    LEAD_EXEMPT = "lead-exempt"
    """Ne veryu against a lead of one card that is exempt (`lead_exempt`)."""
    WRONG_SLOTS = "wrong-slots"
    """The slots opened are not the ones owed."""
    WRONG_FACES = "wrong-faces"
    """The faces do not fit the slots, or cannot all be in the pack."""
    EMPTY_HAND = "empty-hand"
    """A seat without cards can lay nothing (`out_call` manual)."""
    MUST_ANSWER = "must-answer"
    """The next player has to call a pending player, also in open calls (`must_call_pending`)."""
    INDEX_MISSING = "index-missing"
    """Here the caller picks the card that is checked, and the call names none."""
    INDEX_UNASKED = "index-unasked"
    """The call picks a card, but here the caller does not choose what is checked."""
    NO_SUCH_CARD = "no-such-card"
    """The packet has no card at that place; data: `count`."""
    CARDS_LEFT = "cards-left"
    """Going out is announced while cards, or a stock to draw from, remain."""
    NO_ANNOUNCING = "no-announcing"
    """At this table nobody announces that he goes out."""
    NOT_A_SET = "not-a-set"
    """The cards are not complete sets."""


class IllegalMove(EngineError):  # noqa: N818 - a refusal is part of the game, no failure
    """A move that the rules refuse; the state it was tried on is unchanged.

    `reason` says why; `data` holds the numbers or ranks that a sentence about it needs.
    """

    def __init__(self, reason: Refusal, **data: object) -> None:
        super().__init__(reason.value, data)
        self.reason = reason
        self.data = data


class RulesetFault(StrEnum):
    """Why a set of options is not a ruleset that can be played."""

    UNKNOWN_FORM = "unknown-form"
    UNKNOWN_OPTION = "unknown-option"
    MISSING_OPTION = "missing-option"
    BAD_VALUE = "bad-value"
    TOO_FEW_PLAYERS = "too-few-players"
    TOO_MANY_PLAYERS = "too-many-players"
    TOO_FEW_CARDS = "too-few-cards"
    """More players than cards."""
    NO_STOCK_LEFT = "no-stock-left"
    """Hands and burned card together take the whole pack, and a draw pile was asked for."""
    NUMBER_TEST_NEEDS_FREE = "number-test-needs-free"
    ONE_CARD_CHECK_WITH_FREE = "one-card-check-with-free"
    LOSER_DEALS_NEEDS_LOSER = "loser-deals-needs-loser"
    HAND_SIZE_NEEDS_HAND = "hand-size-needs-hand"
    REFILL_NEEDS_HAND = "refill-needs-hand"
    SAME_RANK_WITH_ASCENDING = "same-rank-with-ascending"
    AFTER_PICKUP_NEEDS_ASCENDING = "after-pickup-needs-ascending"
    OPEN_TURN_NEEDS_OPEN_CALLS = "open-turn-needs-open-calls"
    SET_OPTIONS_NEED_SETS = "set-options-need-sets"
    LEAD_MIN_OVER_MAX = "lead-min-over-max"
    MUST_CALL_WITHOUT_CALL = "must-call-without-call"
    SESSION_LOSSES_NEED_SESSION = "session-losses-need-session"


class RulesetError(EngineError):
    """A ruleset is refused. `option` and `value` name the offender where there is one."""

    def __init__(self, reason: RulesetFault, option: str | None = None, value: object = None) -> None:
        where = "" if option is None else f": {option}={value}"
        super().__init__(f"{reason.value}{where}")
        self.reason = reason
        self.option = option
        self.value = value
