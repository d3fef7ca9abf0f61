"""Going somewhere, and holding others: ways, movement, shoves, grapples and drags."""
