"""The tables of commands and panes, the shown names of keys, and the keymap file."""
