"""The gate: what comes from elsewhere is looked at here before anything reads it."""
