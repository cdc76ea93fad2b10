"""What Verish says, in sentences: everything a person reads about the game is worded here, in two languages.

Lower layers hand up enums and data. Functions of this package turn them into plain text, never markup; a name
is put in as it is and never declined. A sentence knows two kinds of person, `Who`: the reader and the others.
"""

from ui.words.people import Who
from ui.words.ranks import Number, RankWord, card_label, card_name, cards, claim, quoted, rank_label

__all__ = [
    "Number",
    "RankWord",
    "Who",
    "card_label",
    "card_name",
    "cards",
    "claim",
    "quoted",
    "rank_label",
]
