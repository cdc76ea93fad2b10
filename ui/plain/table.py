"""At the table while cards are shuffled and played: what may be done, read back before it is sent."""

from collections import Counter
from dataclasses import replace

from engine import Lead, Rank
from ui.plain.answers import NoRankError, ranks_typed
from ui.plain.look import hand_line, look, talk_options
from ui.plain.means import Means
from ui.plain.question import Option, Question
from ui.table import choice as choices
from ui.table.choice import Choice, NotNowError
from ui.table.intent import Intent, intend
from ui.table.situation import LAYING, Situation, Stage
from ui.words import asks, plain, refusals
from ui.words.actions import action_word
from ui.words.ranks import RankWord, claim, rank_label
from ui.words.situation import table_banner


class AtTable:
    """Asks what there is to be asked at the table, or waits."""

    def __init__(self, means: Means) -> None:
        self._means = means

    async def visit(self) -> None:
        """Ask once, or wait until something is to be asked. Raises as `Dialogue.ask`."""
        means = self._means
        dialogue = means.dialogue
        answer = await (dialogue.ask if means.news.acting else dialogue.wait)(self._question)
        assert isinstance(answer, Option), "the question is not free"
        try:
            await self._do(answer.name)
        except NotNowError as error:
            dialogue.say(error.sentence)

    @property
    def _situation(self) -> Situation:
        return Situation(self._means.table)

    def _question(self) -> Question:
        situation = self._situation
        means, acting = self._means, self._means.news.acting
        acts = _acts(situation) if acting else ()
        heads = _turn(situation) if acting else (_standing(situation, means.now()),)
        return Question(heads, (*acts, *_looks(situation, means), *_ends(situation, means.now())))

    async def _do(self, name: str) -> None:
        means, situation = self._means, self._situation
        start = choices.follow(Choice(), situation)
        match name:
            case "lay":
                await self._lay(start)
            case "call" | "believe":
                await self._call(choices.arm(start, situation, believe=name == "believe"))
            case "silent" | "keep":
                await self._send(choices.say_nothing(start, situation))
            case "announce":
                await self._send(choices.say_out(start, situation))
            case "nothing":
                await self._send(choices.lay_nothing(start, situation))
            case "remove":
                await self._remove(start)
            case "end_wait":
                choices.check_may_end_wait(situation, means.now())
                if await means.dialogue.confirm(asks.end_wait()):
                    means.node.end_wait()
            case "leave":
                await means.leave()
            case _:
                await look(means, name)

    async def _lay(self, start: Choice) -> None:
        """Choose cards, then the rank where one may be chosen. Raises as `Dialogue.ask`, NotNowError."""
        dialogue, situation = self._means.dialogue, self._situation
        first, second = _example(situation)
        while True:
            typed = await dialogue.type_in(plain.which_cards(first, second))
            try:
                choice = take_cards(start, situation, typed)
            except NotNowError as error:
                dialogue.say(error.sentence)
                continue
            if choice.chosen:
                break
        if situation.stage is Stage.LEADING:
            choice = await self._named(choice)
        if choices.may_say_out(choice, situation) and await dialogue.confirm(plain.also_out()):
            choice = choices.say_out(choice, situation)
        await self._send(choice)

    async def _named(self, choice: Choice) -> Choice:
        """Ask for the rank of a lead; the cards' own, if they have one, is said by Enter alone."""
        dialogue, situation = self._means.dialogue, self._situation
        while True:
            own = choices.claimed_rank(choice, situation)
            typed = await dialogue.type_in(plain.which_rank(own))
            try:
                ranks = _ranks(typed)
                if len(ranks) == 1:
                    return replace(choices.name_rank(choice, situation, ranks[0]), naming=False)
            except NotNowError as error:
                dialogue.say(error.sentence)
                continue
            if not ranks and own is not None:
                return choice

    async def _call(self, choice: Choice) -> None:
        """Ask which card is opened, where the caller picks one."""
        situation = self._situation
        if situation.picks_card:
            count = situation.choices.indices
            typed = await self._means.dialogue.type_in(plain.which_card(count))
            index = int(typed) - 1 if typed.isdecimal() and len(typed) < 4 else -1
            choice = choices.pick_card(choice, situation, index)
        await self._send(choice)

    async def _remove(self, choice: Choice) -> None:
        """Ask which complete sets are removed."""
        situation = self._situation
        held = sorted(situation.complete_sets)
        if len(held) == 1:
            choice = choices.toggle_fours(choice, situation, held[0])
        else:
            typed = await self._means.dialogue.type_in(plain.which_fours(" ".join(map(rank_label, held))))
            for rank in dict.fromkeys(_ranks(typed)):
                choice = choices.toggle_fours(choice, situation, rank)
        if choice.fours:
            await self._send(choice)

    async def _send(self, choice: Choice) -> None:
        """Read back what a choice does, and send it if that is agreed to. Raises as `Dialogue.ask`."""
        means, situation = self._means, self._situation
        intent = intend(situation, choice, "", tell_truth=means.settings.truth)
        if intent.move is None:
            means.dialogue.say(intent.refusal)
            return
        if await means.dialogue.confirm(
            read_back(intent, choice, situation, tell_truth=means.settings.truth)
        ):
            means.news.sent = situation.step
            means.node.submit(intent.move)
            unreached = situation.unreached
            means.dialogue.say("" if unreached is None else refusals.no_link(unreached))


def take_cards(choice: Choice, situation: Situation, typed: str) -> Choice:
    """Return the choice with the cards that were typed by rank. Raises: NotNowError."""
    held = Counter(card.rank for _slot, card in situation.hand)
    for rank in _ranks(typed):
        if held[rank] == 0 and any(card.rank == rank for _slot, card in situation.hand):
            raise NotNowError(plain.no_more_of(rank))
        held[rank] -= 1
        choice = choices.take_rank(choice, situation, rank)
    return choice


def read_back(intent: Intent, choice: Choice, situation: Situation, *, tell_truth: bool = True) -> str:
    """Return what is about to be sent, in one sentence or two. tell_truth: also whether a lay is true."""
    chosen = [situation.faces[slot] for slot in choice.chosen]
    rank = choices.claimed_rank(choice, situation)
    if situation.stage in LAYING and chosen and rank is not None and choice.armed is None:
        state = situation.state
        number = len(chosen) if state is not None and state.ruleset.claim_number == "honest" else None
        labels = [rank_label(card.rank) for card in chosen]
        truth = all(card.rank == rank for card in chosen) if tell_truth else None
        return plain.lay(labels, claim(rank, number), truth=truth, out=choice.out)
    text, aside = intent.line.text, intent.line.aside
    return f"{text}. {aside[:1].upper()}{aside[1:]}." if aside else f"{text}."


def _ranks(typed: str) -> tuple[Rank, ...]:
    """Raises: NotNowError if something typed is no rank."""
    try:
        return ranks_typed(typed)
    except NoRankError as error:
        raise NotNowError(plain.no_rank(error.word)) from error


def _turn(situation: Situation) -> tuple[str, ...]:
    """What is asked of the own player, and the hand."""
    found = table_banner(situation.table)
    state = situation.state
    usual = situation.stage is Stage.FOLLOWING and state is not None and state.pending is None and state.live
    if situation.stage is Stage.ANSWERING:
        asked = plain.anyone_may_call()
    else:
        asked = plain.your_turn() if usual else f"{plain.your_turn()} {found.text}"
    return (" ".join((asked, hand_line(situation))),)


def _standing(situation: Situation, now: float) -> str:
    """Whom the game waits for."""
    return table_banner(situation.table, now).spoken


def _acts(situation: Situation) -> tuple[Option, ...]:
    """What may be done now."""
    may, stage = situation.choices, situation.stage
    if stage is Stage.FOURS:
        return (Option("remove", action_word("remove")), Option("keep", action_word("keep")))
    found = []
    if stage in LAYING and may.most:
        found.append(Option("lay", _laying(situation)))
    if stage is Stage.LEAVING:
        found.append(Option("announce", action_word("announce")))
    if may.may_doubt:
        found.append(Option("call", action_word("call")))
    if may.may_believe:
        found.append(Option("believe", action_word("believe")))
    if stage is Stage.ANSWERING and may.may_pass:
        found.append(Option("silent", action_word("silent")))
    if choices.may_lay_nothing(situation):
        found.append(Option("nothing", action_word("nothing")))
    return tuple(found)


def _laying(situation: Situation) -> str:
    """The words for laying cards: of a rank where one is in force."""
    state = situation.state
    if state is None or state.due_rank is None:
        return asks.lay_cards()
    rank = RankWord(state.due_rank)
    return asks.lead_rank(rank) if state.lead is Lead.DUE else asks.lay_rank(rank)


def _looks(situation: Situation, means: Means) -> tuple[Option, ...]:
    """What can be read, and said."""
    found = [Option("suits", asks.my_suits())] if situation.hand else []
    if situation.state is not None:
        found += [Option("players", asks.players()), Option("log", action_word("log"))]
    return (
        *found,
        *talk_options(means),
        Option("trust", asks.peeked()),
        Option("rules", asks.rules()),
        Option("help", asks.what_now()),
    )


def _ends(situation: Situation, now: float) -> tuple[Option, ...]:
    """Ways to go on without somebody, or oneself."""
    words = "put_aside" if situation.table.two_alone else "end_wait"
    wait = (Option("end_wait", action_word(words)),) if situation.may_end_wait(now) else ()
    return (*wait, Option("leave", asks.leave_table()), Option("quit", asks.quit_program()))


def _example(situation: Situation) -> tuple[str, str]:
    """Two ranks for the example: the one in force, or the highest held, and the lowest held."""
    state = situation.state
    held = [card.rank for _slot, card in situation.hand]
    due = None if state is None else state.due_rank
    first = due if due is not None and due in held else held[-1]
    second = next((rank for rank in held if rank != first), first)
    return rank_label(first).lower(), rank_label(second).lower()
