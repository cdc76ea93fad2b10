"""`python -m ui.locale check|update|compile`: the tools that keep the catalogs complete."""

import sys
from pathlib import Path

from ui.locale.catalogs import compile_to, complaints, update

FOLDER = Path(__file__).parent


def main(arguments: list[str]) -> int:
    """Do what the one argument says; return the exit code: 0 well, 1 complaints, 2 wrong usage."""
    match arguments:
        case ["check"]:
            found = complaints(FOLDER.parent, FOLDER)
            sys.stdout.writelines(f"{line}\n" for line in found)
            return 1 if found else 0
        case ["update"]:
            update(FOLDER.parent, FOLDER)
        case ["compile"]:
            compile_to(FOLDER, FOLDER)
        case _:
            sys.stderr.write("usage: python -m ui.locale check|update|compile\n")
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
