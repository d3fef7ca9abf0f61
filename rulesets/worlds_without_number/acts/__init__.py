"""The actions of Worlds Without Number: what is offered, what it costs and what it does."""
