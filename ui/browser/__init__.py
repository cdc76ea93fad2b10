"""The program in a browser: a web server of this machine, a page with a terminal in it, a process a tab.

textual-serve has the terminal and carries what is drawn and typed; here stands who may open it.
"""

from ui.browser.server import BrowserServer, is_own_machine, play_command

__all__ = ["BrowserServer", "is_own_machine", "play_command"]
