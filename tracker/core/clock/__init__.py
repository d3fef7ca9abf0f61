"""The clock: schedule, edges, newcomers and leavers."""
