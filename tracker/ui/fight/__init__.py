"""The cockpit: the one screen of a fight, its commands and its mouse."""
