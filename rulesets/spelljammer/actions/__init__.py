"""The actions of the percentile game: their forms and what they do."""
