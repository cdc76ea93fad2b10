"""The rules of Verish' Ne Verish': pure, deterministic, without chance, clock or input and output.

A `State` is what everybody knows of a deal; `apply` takes it through a `Move` to the next one, and
`State.owed` says who owes which move now. Cards are opaque slots; faces come in only with the moves that
make them public, and a `View` is a state with the faces that one seat has read. Which game is played is a
`Ruleset`, that is, data.
"""

from engine.cards import Card, Rank, Suit, deck_of
from engine.conflicts import without_effect
from engine.errors import EngineError, IllegalMove, NotationError, Refusal, RulesetError, RulesetFault
from engine.events import (
    Called,
    CallVoid,
    DealOver,
    DealStarted,
    Drew,
    Event,
    IndexDrawn,
    Laid,
    LaidNothing,
    PacketDiscarded,
    PickedUp,
    Revealed,
    RoundStarted,
    SaidOut,
    SetsKept,
    SetsRemoved,
    WentOut,
    WindowClosed,
    deal_events,
    events,
)
from engine.legality import Choices, choices
from engine.moves import (
    CHOICES,
    Answer,
    Call,
    DiscardSets,
    Draw,
    DrawIndex,
    Duty,
    GoOut,
    Lay,
    Move,
    Obligation,
    PickUp,
    Reveal,
    Seat,
    Slot,
)
from engine.notation import move_from_text, move_to_text, state_from_text, state_to_text
from engine.rules import OPTIONS, Ruleset, Value
from engine.session import Score, Standings
from engine.state import Lead, Opened, Packet, Phase, Removed, State, new_deal, next_dealer
from engine.transitions import apply
from engine.variations import VARIATIONS, Variation, variations_of
from engine.view import View

__all__ = [
    "CHOICES",
    "OPTIONS",
    "VARIATIONS",
    "Answer",
    "Call",
    "CallVoid",
    "Called",
    "Card",
    "Choices",
    "DealOver",
    "DealStarted",
    "DiscardSets",
    "Draw",
    "DrawIndex",
    "Drew",
    "Duty",
    "EngineError",
    "Event",
    "GoOut",
    "IllegalMove",
    "IndexDrawn",
    "Laid",
    "LaidNothing",
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
    "SaidOut",
    "Score",
    "Seat",
    "SetsKept",
    "SetsRemoved",
    "Slot",
    "Standings",
    "State",
    "Suit",
    "Value",
    "Variation",
    "View",
    "WentOut",
    "WindowClosed",
    "apply",
    "choices",
    "deal_events",
    "deck_of",
    "events",
    "move_from_text",
    "move_to_text",
    "new_deal",
    "next_dealer",
    "state_from_text",
    "state_to_text",
    "variations_of",
    "without_effect",
]
