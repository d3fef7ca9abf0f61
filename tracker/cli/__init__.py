"""The command line, where all parts are put together."""
