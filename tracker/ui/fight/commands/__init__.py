"""The commands of the cockpit: what each action of the table of commands does."""
