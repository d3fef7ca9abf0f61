"""The modes of the action pane: pickers, forms, prompts, typed lines and searches."""
