"""The actions of Sovereign: what is offered, what it costs and what it does."""
