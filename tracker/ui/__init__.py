"""The full-screen interface, built on Textual."""
