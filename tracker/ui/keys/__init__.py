"""The one table of keys, and the keymap file that changes it."""
