"""Names of several people in one place: told apart, and marked where one may pose as another.

Names are decoration; a person is a key. Two people may have one name, and then both carry the first group of
their key's fingerprint. A name that only looks like another's keeps its letters and gets a warning.
"""

from collections import Counter
from collections.abc import Mapping

from crypto import fingerprint, short_fingerprint
from p2p.protocol.lobby_snapshot import NameWarning
from p2p.protocol.text import NAME_BYTES, NAME_CHARACTERS, clean_name, cut_bytes, skeleton


def distinct_names(names: Mapping[bytes, str]) -> dict[bytes, str]:
    """A shown name for every key, no two equal, each within the bounds of a name.

    A name that nothing is left of after cleaning is replaced by the short fingerprint. Names that differ in
    capitals only count as equal.
    """
    cleaned = {key: clean_name(name) or short_fingerprint(key) for key, name in names.items()}
    uses = Counter(name.casefold() for name in cleaned.values())
    shown: dict[bytes, str] = {}
    taken: set[str] = {name.casefold() for name in cleaned.values() if uses[name.casefold()] == 1}
    for key in sorted(cleaned):
        name = cleaned[key]
        if uses[name.casefold()] > 1:
            name = next(one for one in _suffixed(name, key) if one.casefold() not in taken)
            taken.add(name.casefold())
        shown[key] = name
    return {key: shown[key] for key in names}


def _suffixed(name: str, key: bytes) -> list[str]:
    """`name` with longer and longer parts of the key behind it, each cut so that the whole fits."""
    suffixes = (short_fingerprint(key), fingerprint(key).replace("-", ""))
    return [_fit(name, suffix) for suffix in suffixes] + [
        f"{count}{key.hex()}"[:NAME_CHARACTERS] for count in range(64)
    ]


def _fit(name: str, suffix: str) -> str:
    room = NAME_CHARACTERS - len(suffix) - 1
    return f"{cut_bytes(name[:room], NAME_BYTES - len(suffix) - 1).rstrip()} {suffix}"


def name_warnings(
    own_key: bytes, own_name: str, names: Mapping[bytes, str], known: Mapping[bytes, str]
) -> dict[bytes, NameWarning]:
    """Who among `names` deserves a warning, and which; the own key never does.

    Args:
        own_key: the own identity key.
        own_name: the own name.
        names: the people in view by key, raw or cleaned.
        known: people met before, by key, with the names they had then.
    """
    cleaned = {key: clean_name(name) for key, name in names.items() if key != own_key}
    forms = {key: skeleton(name) for key, name in cleaned.items()}
    spellings: dict[str, set[str]] = {}
    for key, form in forms.items():
        spellings.setdefault(form, set()).add(cleaned[key].casefold())
    known_forms = {skeleton(clean_name(name)): key for key, name in known.items()}
    own_cleaned = clean_name(own_name)
    own_form = skeleton(own_cleaned)
    some_known = any(key in known for key in cleaned)
    warnings: dict[bytes, NameWarning] = {}
    for key, form in forms.items():
        if form and form == own_form:
            same = cleaned[key] == own_cleaned
            warnings[key] = NameWarning.SAME_NAME if same else NameWarning.IMITATES_YOU
        elif key in known:
            continue
        elif form and form in known_forms:
            warnings[key] = NameWarning.NOT_YOURS
        elif form and len(spellings[form]) > 1:
            warnings[key] = NameWarning.IMITATES
        elif some_known:
            warnings[key] = NameWarning.NEW_KEY
    return warnings
