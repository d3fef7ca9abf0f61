"""Mutants: small faults in the program, one by one, to see whether the tests notice.

`mutants.jsonl` is the list, drawn once; `baseline.jsonl` says which of them the tests noticed when it was drawn.

- `python -m tests.mutants.run`: put each fault into a copy of the tree and run the tests that reach it.
- `python -m tests.mutants.find`: which mutants are no longer found in the code, and where their text is now.
"""
