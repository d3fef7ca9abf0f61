"""The user's environment: editor, terminal, phones, kept effects, settings that persist."""
