"""Interruptions of every action of Worlds Without Number."""
