"""Spells of Sword World 2.0: whom they meet, what they do, and their form."""
