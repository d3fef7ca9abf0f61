"""Golden fights: whole fights by script, whose output is kept and derived again.

A folder `tests/golden/<game>/<fight>/` holds `encounter.yaml`, `script.yaml` and `expected.jsonl`; a file `seed` in it
holds the number for `--seed`.
`python -m tests.golden.update [<game>/<fight> ...]` writes what is expected anew; read the difference before keeping
it.
"""
