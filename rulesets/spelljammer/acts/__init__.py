"""The actions of the percentile game: what is offered, what it costs and what it does."""
