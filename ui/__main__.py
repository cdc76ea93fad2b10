"""`python -m ui` is the `verish` command."""

from ui.cli import main

if __name__ == "__main__":
    main()
