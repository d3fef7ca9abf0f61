"""Keys and the mouse: every key, keymaps, fields of text, the budget of keystrokes."""
