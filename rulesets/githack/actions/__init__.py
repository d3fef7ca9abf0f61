"""The actions of GitHack: what is offered, what it costs and what it does."""
