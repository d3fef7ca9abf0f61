"""Lines and questions: commands, forms, the palette, effects, prompts."""
