"""Plain mode: the questions and the answers to choose from, where no screen has the words."""

from ui.i18n import gettext as _
from ui.i18n import ngettext, pgettext
from ui.words.ranks import RankWord, quoted

# Everywhere


def yes() -> str:
    """The answer that sends."""
    return pgettext("answer", "yes")


def no() -> str:
    """The answer that does not."""
    return pgettext("answer", "no")


def back() -> str:
    """Leave a list without choosing."""
    return pgettext("answer", "back")


def rules() -> str:
    """Hear the rules."""
    return pgettext("answer", "rules")


def save() -> str:
    """Save the transcript."""
    return pgettext("answer", "save the transcript")


def leave_table() -> str:
    """Leave the own table."""
    return pgettext("answer", "leave the table")


def quit_program() -> str:
    """End the program."""
    return pgettext("answer", "quit")


def leave(cost: str) -> str:
    """Asks whether to leave; `cost`: what that does."""
    return _("Leave the table: {cost}.").format(cost=cost)


# The lobby


def you_are(name: str) -> str:
    """Who the reader is."""
    return _("You are {name}.").format(name=name)


def lobby(name: str, people: int, tables: int) -> str:
    """Who the reader is and what there is."""
    here = ngettext("{count} other is here.", "{count} others are here.", people).format(count=people)
    open_ = ngettext("{count} table can be joined.", "{count} tables can be joined.", tables)
    return " ".join((you_are(name), here, open_.format(count=tables)))


def join_a_table() -> str:
    """Choose a table to join."""
    return pgettext("answer", "join a table")


def who_is_here() -> str:
    """Hear who is around."""
    return pgettext("answer", "who is here")


def watch_a_table() -> str:
    """Choose a table to watch."""
    return pgettext("answer", "watch a table")


def asking_to_watch(title: str) -> str:
    """Watching was asked for; the answer comes by itself."""
    return _("Asking to watch {title}…").format(title=title)


def talk() -> str:
    """Say something beside the game."""
    return pgettext("answer", "say something")


def which_words() -> str:
    """Asks what to say; ready remarks follow, numbered."""
    return _("What do you say? Type a line, or a number. All at the table read it.")


def which_table() -> str:
    """Asks for a table."""
    return _("Which table?")


def join(title: str) -> str:
    """Asks whether to join."""
    return _("Join {title}. You hear the rules before you agree to them.").format(title=title)


def go_to(name: str) -> str:
    """Asks whether to take a seat where the own table was opened again."""
    return _("Take your seat at the table of {name}.").format(name=name)


def asking(title: str) -> str:
    """A seat was asked for."""
    return _("Asking for a seat at {title}…").format(title=title)


def code_of(opener: str) -> str:
    """Asks for the code of a table."""
    return _("What is the code? Ask {name}, who has opened the table.").format(name=opener)


def needs_code() -> str:
    """A table that asks for its code."""
    return _("with a code")


def bots_chosen() -> str:
    """Asks how the bots are to be."""
    return _("Bots to play with:")


def how_many_bots(most: int, usual: int) -> str:
    """Asks for a number of bots."""
    return _("How many bots, 1 to {most}? Enter alone: {usual}.").format(most=most, usual=usual)


def first_deal() -> str:
    """Play with bots, and have each new situation explained."""
    return pgettext("answer", "a first deal, explained")


def deals_again() -> str:
    """Choose a past deal to be told again."""
    return pgettext("answer", "hear a past deal again")


def which_deal() -> str:
    """Asks for a past deal."""
    return _("Which deal?")


def earlier_deals() -> str:
    """Hear of deals before those that were listed."""
    return pgettext("answer", "earlier deals")


def retelling() -> dict[str, str]:
    """The ways through a deal that is told again."""
    return {
        "next": pgettext("answer", "next"),
        "previous": pgettext("answer", "previous"),
        "next_call": pgettext("answer", "next call"),
        "previous_call": pgettext("answer", "previous call"),
        "hands": pgettext("answer", "hands"),
        "go_to": pgettext("answer", "go to a step"),
        "rest": pgettext("answer", "all the rest"),
        "back": back(),
    }


def which_setting() -> str:
    """Asks for a setting to change."""
    return _("Which setting?")


def which_name(now: str) -> str:
    """Asks for the own name."""
    return _("What is your name? Enter alone keeps {name}.").format(name=now)


def which_address(own: str) -> str:
    """Asks for an address; `own`: those of this computer."""
    text = _("Which address and port? For example 192.168.1.23:52417.")
    return " ".join((text, _("Yours: {addresses}.").format(addresses=own))) if own else text


def connecting(address: str) -> str:
    """An address is tried."""
    return _("Connecting to {address}…").format(address=address)


def take_up() -> str:
    """Take the unfinished deal up."""
    return pgettext("answer", "take it up again")


# Opening a table


def which_title(usual: str) -> str:
    """Asks for the name of a table."""
    return _("What is the table called? Enter alone: {usual}.").format(usual=usual)


def how_many(least: int, most: int, usual: int) -> str:
    """Asks for a number of players."""
    text = _("How many players, {least} to {most}? Enter alone: {usual}.")
    return text.format(least=least, most=most, usual=usual)


def which_form() -> str:
    """Asks for a form of the game."""
    return _("Which form of the game?")


def go_on() -> str:
    """The rules are chosen."""
    return pgettext("answer", "these rules")


def variation(words: str) -> str:
    """Choose a named variation; `words`: the one that is chosen."""
    return _("variation: {words}").format(words=words)


def change_option() -> str:
    """Change a single rule."""
    return pgettext("answer", "change a rule")


def which_option() -> str:
    """Asks for a rule to change."""
    return _("Which rule?")


def option(name: str, value: str, usual: str) -> str:
    """A rule that can be changed; `usual`: where another value is chosen."""
    if usual:
        return _("{name}: {value}, usually {usual}").format(name=name, value=value, usual=usual)
    return f"{name}: {value}"


def with_code() -> str:
    """Asks whether the table has a code."""
    return _("Shall one need a code to join?")


def no_code() -> str:
    """Everybody may join."""
    return pgettext("answer", "no code")


def make_code() -> str:
    """A code is made up."""
    return pgettext("answer", "make a code")


def type_code() -> str:
    """One's own code."""
    return pgettext("answer", "type a code")


def your_code() -> str:
    """Asks for a code of one's own."""
    return _("What is the code to be?")


def open_table(title: str, seats: int, named: str) -> str:
    """Asks whether to open the table; `named`: its form and how many rules differ."""
    text = ngettext(
        "Open the table {title} for {count} player: {rules}.",
        "Open the table {title} for {count} players: {rules}.",
        seats,
    )
    return text.format(title=quoted(title), count=seats, rules=named)


def code(text: str) -> str:
    """The code of the own table."""
    return _("Code to read out: {code}.").format(code=text)


# Getting ready


def at_table(title: str) -> str:
    """Where the reader sits now."""
    return _("You sit at the table {title}. Its rules:").format(title=quoted(title))


def differs(text: str, usual: str) -> str:
    """A rule that is not as usual."""
    return _("Not as usual: {rule} ({usual}).").format(rule=text, usual=usual)


def do_you_agree() -> str:
    """Asks for the agreement to the rules."""
    return _("Do you agree to these rules?")


def agree() -> str:
    """Agree to the rules."""
    return pgettext("answer", "I agree and am ready")


def agree_to(title: str) -> str:
    """Asks whether to be ready."""
    return _("You agree to the rules of {title} and are ready. The deal starts when all are.").format(
        title=quoted(title)
    )


def take_back() -> str:
    """Not be ready any more."""
    return pgettext("answer", "I am not ready after all")


def take_back_ready() -> str:
    """Asks whether to take it back."""
    return _("You are not ready after all.")


def start_without(name: str) -> str:
    """Start without the last one."""
    return _("start without {name}").format(name=name)


def who_sits() -> str:
    """Hear who sits at the table."""
    return pgettext("answer", "who sits here")


def is_ready() -> str:
    """Somebody has agreed."""
    return _("ready to play")


def reads() -> str:
    """Somebody has not agreed yet."""
    return _("reads the rules")


def free_seats(count: int) -> str:
    """How many seats are free."""
    return ngettext("{count} seat is free.", "{count} seats are free.", count).format(count=count)


# At the table


def lay_cards() -> str:
    """Lead with cards of any rank."""
    return pgettext("answer", "lay cards")


def lay_rank(rank: RankWord) -> str:
    """Lay more cards of the rank in force."""
    return pgettext("answer", "lay {ranks:of}").format(ranks=rank)


def lead_rank(rank: RankWord) -> str:
    """Lead with cards of the rank that is due."""
    return pgettext("answer", "lead {ranks:of}").format(ranks=rank)


def my_suits() -> str:
    """Hear the own cards with their suits."""
    return pgettext("answer", "my suits")


def players() -> str:
    """Hear who holds how many cards."""
    return pgettext("answer", "players")


def peeked() -> str:
    """Hear what has been proven."""
    return pgettext("answer", "could anyone have peeked?")


def what_now() -> str:
    """Hear what is asked of the reader, and what it costs."""
    return pgettext("answer", "what is asked of me?")


def end_wait() -> str:
    """Asks whether the wait is to be ended."""
    return _("All others are asked whether to end the wait.")


def whole_log(count: int) -> str:
    """Asks whether to read everything."""
    return ngettext("Read the whole log, {count} line?", "Read the whole log, {count} lines?", count).format(
        count=count
    )


def the_proof() -> str:
    """Hear what each has proven and who can read what."""
    return pgettext("answer", "the proof")


def fingerprints() -> str:
    """Hear the fingerprints of all."""
    return pgettext("answer", "fingerprints to compare")


# After a deal


def what_next() -> str:
    """Asks what comes after the deal."""
    return _("What next?")


def play_next(words: str) -> str:
    """Asks whether to want the next deal; `words`: what it is."""
    return _("{words}: it begins when everybody wants it.").format(words=words)


def tell_again() -> str:
    """Hear the deal again."""
    return pgettext("answer", "tell the deal again")


def was_it_fair() -> str:
    """Hear what has been proven, after the deal."""
    return pgettext("answer", "was it fair?")
