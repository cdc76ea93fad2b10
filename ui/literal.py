"""Text as it stands, whoever has written it: on screens, in lines and in what the commands print."""

import unicodedata


def literal(text: str) -> str:
    """Return text in which every control or format character is shown as `?`: nothing in it can steer a
    terminal.
    """
    if text.isprintable():
        return text
    return "".join(
        "?" if unicodedata.category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp"} else char for char in text
    )


def literal_lines(text: str) -> str:
    """Return text of several lines, each of them as `literal` gives it."""
    return "\n".join(map(literal, text.split("\n")))
