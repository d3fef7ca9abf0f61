"""The screen of a fight: its controller, panes, keyboard, mouse and commands."""
