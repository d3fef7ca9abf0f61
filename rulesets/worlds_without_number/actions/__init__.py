"""The actions of Worlds Without Number: when they are offered, their costs, their course."""
