"""The tables of commands and panes, what keys are called, and the keymap file."""
