"""The commands of the controller: what each action of the table of commands does."""
