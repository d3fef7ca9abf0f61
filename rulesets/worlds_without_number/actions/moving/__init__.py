"""Going somewhere, and holding others: movement, shoves and grapples."""
