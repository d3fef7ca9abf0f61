"""The journal of a fight and the one function that changes it."""
