"""The percentile game of the Spelljammer campaign: declarations, segments, one initiative a blow."""
