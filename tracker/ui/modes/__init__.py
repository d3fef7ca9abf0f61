"""What the action pane can be busy with: pickers, forms, prompts, lines and look-ups."""
