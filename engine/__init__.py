"""The rules of Verish' Ne Verish': pure, deterministic, without chance, clock or input and output.

A `State` is what everybody knows of a deal; `apply` takes it through a `Move` to the next one, and
`State.owed` says who owes which move now. Cards are opaque slots; faces come in only with the moves that
make them public, and a `View` is a state with the faces that one seat has read. Which game is played is a
`Ruleset`, that is, data.
"""

from engine.cards import Card, Rank, Suit, deck_of
from engine.errors import EngineError, IllegalMove, NotationError, Refusal, RulesetError, RulesetFault
from engine.events import (
    Called,
    DealOver,
    DealStarted,
    Event,
    Laid,
    PacketDiscarded,
    PickedUp,
    Revealed,
    RoundStarted,
    SetsKept,
    SetsRemoved,
    WentOut,
    deal_events,
    events,
)
from engine.legality import Choices, choices
from engine.moves import (
    CHOICES,
    Call,
    DiscardSets,
    Duty,
    Lay,
    Move,
    Obligation,
    PickUp,
    Reveal,
    Seat,
    Slot,
)
from engine.notation import move_from_text, move_to_text, state_from_text, state_to_text
from engine.rules import OPTIONS, Ruleset, Value, played_forms
from engine.state import Lead, Opened, Packet, Phase, Removed, State, new_deal, next_dealer
from engine.transitions import apply
from engine.view import View

__all__ = [
    "CHOICES",
    "OPTIONS",
    "Call",
    "Called",
    "Card",
    "Choices",
    "DealOver",
    "DealStarted",
    "DiscardSets",
    "Duty",
    "EngineError",
    "Event",
    "IllegalMove",
    "Laid",
    "Lay",
    "Lead",
    "Move",
    "NotationError",
    "Obligation",
    "Opened",
    "Packet",
    "PacketDiscarded",
    "Phase",
    "PickUp",
    "PickedUp",
    "Rank",
    "Refusal",
    "Removed",
    "Reveal",
    "Revealed",
    "RoundStarted",
    "Ruleset",
    "RulesetError",
    "RulesetFault",
    "Seat",
    "SetsKept",
    "SetsRemoved",
    "Slot",
    "State",
    "Suit",
    "Value",
    "View",
    "WentOut",
    "apply",
    "choices",
    "deal_events",
    "deck_of",
    "events",
    "move_from_text",
    "move_to_text",
    "new_deal",
    "next_dealer",
    "played_forms",
    "state_from_text",
    "state_to_text",
]
