"""Moves and states as text. The other direction, with the grammar, is in `engine.notation`."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from engine.moves import Answer, Call, DiscardSets, Draw, DrawIndex, GoOut, Lay, Move, PickUp, Reveal

if TYPE_CHECKING:
    from engine.rules import Ruleset
    from engine.state import Packet, State


def _listed(items: Iterable[object]) -> str:
    """Items joined by commas, or `-` for none."""
    return ",".join(map(str, items)) or "-"


def _optional(value: object) -> str:
    return "-" if value is None else str(value)


def move_to_text(move: Move) -> str:  # noqa: PLR0911 - one for each kind
    """One line for one move, such as `2 lay 4,17 Q 2`."""
    match move:
        case Lay(seat, slots, rank, number, out):
            return f"{seat} lay {_listed(slots)} {rank} {_optional(number)}{' out' if out else ''}"
        case Call(seat, believe, index):
            return f"{seat} {'veryu' if believe else 'ne_veryu'}{'' if index is None else f' {index}'}"
        case Answer(seat, call):
            return f"{seat} answer {'-' if call is None else move_to_text(call)}"
        case GoOut(seat):
            return f"{seat} go_out"
        case Draw(seat):
            return f"{seat} draw"
        case DrawIndex(seat, index):
            return f"{seat} draw_index {index}"
        case Reveal(seat, slots, faces):
            return f"{seat} reveal {_listed(slots)} {_listed(faces)}"
        case PickUp(seat):
            return f"{seat} pick_up"
        case DiscardSets(seat, slots, faces):
            return f"{seat} discard_sets {_listed(slots)} {_listed(faces)}"


def _packet(packet: "Packet") -> str:
    return f"{packet.owner} {_listed(packet.slots)} {packet.rank} {_optional(packet.number)}"


def state_to_text(state: "State") -> str:
    """A state as lines of `name value`; two states are equal exactly if their texts are."""
    rules = " ".join(
        [state.ruleset.form, *(f"{name}={value}" for name, value, _ in state.ruleset.differences())]
    )
    revealed, called, last = state.revealed, state.called, state.last_lead
    lines = [
        f"rules {rules}",
        f"order {_listed(state.order)}",
        f"dealer {state.dealer}",
        f"phase {state.phase.value}",
        *(f"hand {seat} {_listed(hand)}" for seat, hand in zip(state.order, state.hands, strict=True)),
        *(f"packet {_packet(packet)}" for packet in state.table),
        f"burned {_listed(state.burned)}",
        f"removed {_listed(f'{card.slot}:{_optional(card.face)}' for card in state.removed)}",
        f"rank {_optional(state.rank)}",
        f"live {'yes' if state.live else 'no'}",
        f"turn {_optional(state.turn)}",
        f"out {_listed(state.out)}",
        f"called {_optional(called and move_to_text(called))}",
        "revealed -"
        if revealed is None
        else f"revealed {_packet(revealed.packet)} {_listed(revealed.faces)} {move_to_text(revealed.call)} "
        f"{'' if revealed.index is None else f'at {revealed.index} '}"
        f"{'true' if revealed.truthful else 'false'}",
        f"taker {_optional(state.taker)}",
        f"lead {state.lead.value}",
        f"first_lead {'yes' if state.first_lead else 'no'}",
        "last_lead -" if last is None else f"last_lead {last[0]} {_optional(last[1])}",
        f"next_slot {state.next_slot}",
        *_lines_of_options(state),
    ]
    return "\n".join(lines) + "\n"


def _lines_of_options(state: "State") -> list[str]:
    """Lines that only some rulesets have: where an option is not played, its field is always empty."""
    rules = state.ruleset
    lines = []
    if rules.draws:
        lines += [f"stock {_listed(state.stock)}", f"refill_due {_listed(state.refill_due)}"]
    if tells_emptied(rules):
        lines.append(f"emptied {_listed(state.emptied)}")
    if rules.manual_out:
        lines.append(f"announced {_listed(state.announced)}")
    if rules.rank_rule == "ascending":
        lines.append(f"rising {_optional(state.rising)}")
    if rules.open_calls:
        lines += [f"answer {move_to_text(answer)}" for answer in state.answers]
    if rules.check != "all":
        lines.append(f"index {_optional(state.index)}")
    if rules.sets_at_deal == "yes":
        lines.append(f"asked_next {_listed(state.asked_next)}")
    return lines


def tells_emptied(rules: "Ruleset") -> bool:
    """Whether the text of a state says whose hands are empty: where the hands alone do not tell it, or not in
    which order.
    """
    return rules.draws or rules.manual_out or rules.hides_sizes
