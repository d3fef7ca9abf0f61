"""Entries that many scripts of the made-up game begin with."""

ADA_HITS = "- {do: blow, by: Ada, target: Thug 1, answers: [14, 5]}\n"
THUGS = "- advance\n"
THUG_HITS = "- {do: blow, by: Thug 1, target: Ada, answers: [15, 3]}\n"
