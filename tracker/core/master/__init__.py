"""The GM's generic commands, one record each: people, harm, effects, time, the desk; `table` gathers them."""
