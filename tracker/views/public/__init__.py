"""The players' view: `schema` is its data, `build` makes it, `redaction` replaces hidden names."""
