"""The one screen of a fight: what is shown, its panes, keyboard, mouse and commands."""
