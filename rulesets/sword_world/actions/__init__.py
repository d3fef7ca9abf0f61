"""The actions of Sword World 2.0: their forms, their costs and what they do."""
