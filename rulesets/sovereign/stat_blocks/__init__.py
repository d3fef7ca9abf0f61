"""Stat blocks of Sovereign: their canonical form, and the ways into it."""
