"""What is done now: whose actions are on offer, their forms, the questions of a step, the odds."""
