"""A game as a record of functions, with the words it adds."""
