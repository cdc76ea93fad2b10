"""Tables of each form and option, played until the own seat is asked."""

from model_table import ModelTable, cards

from engine import Duty, Rank, Ruleset, Seat, Value

NAMES = ("Vera", "Anna", "Boris", "Oleg")
ME = Seat(3)


def table(form: str = "encyclopedia", /, **options: Value) -> ModelTable:
    """Return a table at which the own seat is the fourth to act."""
    if form == "club":
        options.setdefault("claim_number", "honest")
    rules = Ruleset.with_preset(form, options)
    dealer = ME if rules.first_lead == "dealer_left" else Seat(0)
    model = ModelTable(NAMES, own=ME, dealer=dealer, ruleset=rules)
    if not rules.draws:
        model.give(ME, cards("6S 6H 7D 9C 10S QC KS KD AC"))
        model.give(Seat(2), cards("QS QH QD 8S 8H"))
    return model


def laid(model: ModelTable, seats: int = 3) -> ModelTable:
    """Let the first seats lay one, two, three cards, and nobody call."""
    for number in range(seats):
        model.settle()
        model.lay(model.state.owed[0].seat, 1 + number, model.state.due_rank or Rank.QUEEN)
        while number < seats - 1 and model.state.owed[0].duty is Duty.ANSWER:
            model.answer(model.state.owed[0].seat)
    model.settle()
    return model
