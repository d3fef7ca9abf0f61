"""The least app the terminal library can make: what every measurement of the screen is compared with."""

from textual.app import App, ComposeResult
from textual.widgets import Static


class Floor(App[None]):
    BINDINGS = [("j", "bump", "bump"), ("ctrl+q", "quit", "quit")]  # noqa: RUF012 - as the library spells it
    count = 0

    def compose(self) -> ComposeResult:
        yield Static("READY 0", id="s")

    def action_bump(self) -> None:
        self.count += 1
        self.query_one("#s", Static).update(f"READY {self.count}")


if __name__ == "__main__":
    Floor().run()
