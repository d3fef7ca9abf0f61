"""What is done now: actions on offer, forms, questions and odds."""
